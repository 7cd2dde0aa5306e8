"""The device on which the notebooks compute."""

import os

import torch


class DeviceError(ValueError):
    """ATTN_LAB_DEVICE asks for what is not here: what was found, and what to do about it."""

    def __init__(self, found: str, advice: str) -> None:
        super().__init__(f"{found}. {advice}")
        self.found, self.advice = found, advice


def device() -> torch.device:
    """The notebooks' device: the CPU, unless ATTN_LAB_DEVICE names a GPU.

    Raises: DeviceError when ATTN_LAB_DEVICE is neither cpu nor cuda, or asks for a GPU that
    torch does not see.

    >>> device()
    device(type='cpu')
    """
    wanted = os.environ.get("ATTN_LAB_DEVICE", "").strip() or "cpu"
    if wanted.split(":")[0] not in ("cpu", "cuda"):
        raise DeviceError(
            f"ATTN_LAB_DEVICE must be cpu or cuda; got {wanted!r}",
            "Set one of them, or unset it.",
        )
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        raise DeviceError(
            f"ATTN_LAB_DEVICE is {wanted!r}, but torch {torch.__version__} sees no GPU",
            "Unset it to compute on the CPU.",
        )
    try:
        return torch.device(wanted)
    except RuntimeError:
        raise DeviceError(
            f"ATTN_LAB_DEVICE must be cpu, cuda or cuda:0; got {wanted!r}",
            "Set one of them, or unset it.",
        ) from None

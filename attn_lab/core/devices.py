"""The device on which the notebooks compute."""

import os

import torch


def device() -> torch.device:
    """The notebooks' device: the CPU, unless ATTN_LAB_DEVICE names a GPU.

    Raises: ValueError when ATTN_LAB_DEVICE is neither cpu nor cuda, or asks for a GPU that
    torch does not see.

    >>> device()
    device(type='cpu')
    """
    wanted = os.environ.get("ATTN_LAB_DEVICE", "").strip() or "cpu"
    if wanted.split(":")[0] not in ("cpu", "cuda"):
        raise ValueError(
            f"ATTN_LAB_DEVICE must be cpu or cuda; got {wanted!r}. Set one of them, or unset it."
        )
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        raise ValueError(
            f"ATTN_LAB_DEVICE is {wanted!r}, but torch {torch.__version__} sees no GPU. "
            "Unset it to compute on the CPU."
        )
    try:
        return torch.device(wanted)
    except RuntimeError:
        raise ValueError(
            f"ATTN_LAB_DEVICE must be cpu, cuda or cuda:0; got {wanted!r}. Set one of them, or "
            "unset it."
        ) from None

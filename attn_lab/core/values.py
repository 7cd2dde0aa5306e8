"""Checks that read values.

On a GPU each reading waits for all work before it, so a call collects what it wants to know as
0-d tensors and reads them together, once.
"""

import math
from typing import Any

import torch
from torch import Tensor

from attn_lab.core.checks import dtype_of


def extremes(x: Tensor) -> tuple[Tensor, Tensor]:
    """The lowest and the highest value, still on the device; not-a-number if any entry is."""
    return torch.aminmax(x.detach() if x.requires_grad else x)


def read(*readings: Tensor) -> list[Any]:
    """The numbers behind several small tensors, in one synchronisation."""
    if not readings[0].is_cpu:
        together = torch.cat([r.double().flatten() for r in readings]).cpu()
        parts = together.split([r.numel() for r in readings])
        readings = tuple(
            part.view(r.shape).to(r.dtype) for part, r in zip(parts, readings, strict=True)
        )
    try:
        return [r.tolist() for r in readings]
    except RuntimeError:
        # torch 2.13.0 has no public way to ask; imported here, its loss would cost one message
        from torch._C._functorch import is_functorch_wrapped_tensor

        if not any(map(is_functorch_wrapped_tensor, readings)):
            raise
        raise ValueError(
            "values must be readable, to refuse what is not finite; torch.func.vmap hides them. "
            "All axes before the last two are batches already: write attention(q, k, v)."
        ) from None


def largest(low: float, high: float) -> float:
    """The largest size between two extremes; not finite if any entry between them is not."""
    return max(-low, high)  # where one extreme is not-a-number, both are


def refuse_non_finite(**found: tuple[Tensor, float]) -> None:
    """Refuse the first argument whose largest size is not finite, and say where it is."""
    for name, (x, size) in found.items():
        if math.isfinite(size):
            continue
        where = (~x.detach().isfinite()).nonzero()
        place = where[0].tolist()
        raise ValueError(
            f"{name} must hold finite numbers, behind a mask too; got {len(where)} that are not, "
            f"the first is {x[tuple(place)].item()} at index {place}. "
            f"Mend the step that made {name}."
        )


def refuse_overflow(result: Tensor, size: float, what: str, made_of: str) -> None:
    """Refuse a result that left the range of its dtype though what it is made of is finite."""
    if not math.isfinite(size):
        raise ValueError(
            f"{what} overflow {dtype_of(result)}: {made_of} are finite, but too large together. "
            f"Make {made_of} smaller, or compute in float64 with .double()."
        )

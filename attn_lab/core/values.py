"""Checks that read values.

On a GPU each reading waits for all work before it, so a call collects what it wants to know as
0-d tensors and reads them together, once.
"""

import math

import torch
from torch import Tensor

from attn_lab.core.checks import dtype_of


def largest(x: Tensor) -> Tensor:
    """The largest absolute value, still on the device; not finite if any entry is not."""
    return torch.linalg.vector_norm(x.detach(), math.inf)


def read(*readings: Tensor) -> list[float]:
    """The numbers behind several 0-d tensors, in one synchronisation."""
    return torch.stack([r.double() for r in readings]).tolist()


def refuse_non_finite(**found: tuple[Tensor, float]) -> None:
    """Refuse the first argument whose largest value is not finite, and say where it is."""
    for name, (x, biggest) in found.items():
        if math.isfinite(biggest):
            continue
        where = (~x.detach().isfinite()).nonzero()
        place = where[0].tolist()
        raise ValueError(
            f"{name} must hold finite numbers, behind a mask too; got {len(where)} that are not, "
            f"the first is {x[tuple(place)].item()} at index {place}. "
            f"Mend the step that made {name}."
        )


def refuse_overflow(result: Tensor, biggest: float, what: str, made_of: str) -> None:
    """Refuse a result that left the range of its dtype though what it is made of is finite."""
    if not math.isfinite(biggest):
        raise ValueError(
            f"{what} overflow {dtype_of(result)}: {made_of} are finite, but too large together. "
            f"Make {made_of} smaller, or compute in float64 with .double()."
        )

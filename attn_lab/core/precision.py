"""The number format that the arithmetic runs in: float32 at least."""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor

HALVES = (torch.float16, torch.bfloat16)


def in_float32_at_least(x: Tensor) -> Tensor:
    return x.float() if x.dtype in HALVES else x


def times(x: Tensor, factor: float) -> Tensor:
    """`x` times any factor that a float can hold, which float32 may take for 0 or infinity."""
    if x.dtype == torch.float64 or factor == 0 or 1e-30 < abs(factor) < 1e30:
        return x * factor
    return (x.double() * factor).to(x.dtype)


def as_given(x: Tensor, dtype: torch.dtype) -> Tensor:
    return x if x.dtype == dtype else x.to(dtype)


def without_autocast(x: Tensor) -> AbstractContextManager[object]:
    """Keeps an enclosing `torch.autocast` from turning float32 products into half ones."""
    if torch.is_autocast_enabled("cpu" if x.is_cpu else x.device.type):
        return torch.autocast(x.device.type, enabled=False)
    return nullcontext()

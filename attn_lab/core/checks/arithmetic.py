"""Arithmetic within the range of its numbers: float32 at least, and no step that overflows."""

from contextlib import AbstractContextManager, nullcontext

import torch
from torch import Tensor

HALVES = (torch.float16, torch.bfloat16)
AS_IT_IS = nullcontext()
LARGEST = {dtype: torch.finfo(dtype).max for dtype in (*HALVES, torch.float32, torch.float64)}


def in_float32_at_least(x: Tensor) -> Tensor:
    return x.float() if x.dtype in HALVES else x


def as_given(x: Tensor, dtype: torch.dtype) -> Tensor:
    return x if x.dtype == dtype else x.to(dtype)


def in_one_dtype(*tensors: Tensor) -> tuple[Tensor, ...]:
    """The tensors, in float32 where their dtypes differ, as `torch.autocast` hands them over."""
    if len({x.dtype for x in tensors}) == 1:
        return tensors
    return tuple(in_float32_at_least(x) for x in tensors)


def autocasts(x: Tensor) -> bool:
    """Whether an enclosing `torch.autocast` chooses the dtype of products with `x`."""
    return not x.is_meta and torch.is_autocast_enabled("cpu" if x.is_cpu else x.device.type)


def without_autocast(x: Tensor) -> AbstractContextManager[object]:
    """Keep an enclosing `torch.autocast` from turning float32 products into half ones."""
    if autocasts(x):
        return torch.autocast(x.device.type, enabled=False)
    return AS_IT_IS


def times(x: Tensor, factor: float) -> Tensor:
    """`x` times any factor that a float can hold, which float32 may take for 0 or infinity."""
    if x.dtype == torch.float64 or factor == 0 or 1e-30 < abs(factor) < 1e30:
        return x * factor
    return (x.double() * factor).to(x.dtype)


def below(scores: Tensor, highest: Tensor, temperature: float) -> Tensor:
    """Each score's distance from the highest, over any temperature that a float can hold."""
    if temperature == 1.0:
        return scores - highest
    if 1e-30 < temperature < 1e30:
        return (scores - highest) / temperature
    wide, top = scores.double(), highest.double()
    if temperature > 1:  # halves, because the full difference of two float64 can overflow
        wide, top, temperature = wide / 2, top / 2, temperature / 2
    # A tensor, because torch may multiply by a number's reciprocal, which overflows here.
    divisor = torch.tensor(temperature, dtype=torch.float64, device=scores.device)
    return ((wide - top) / divisor).to(scores.dtype)


def mix(weights: Tensor, v: Tensor, v_max: float) -> Tensor:
    """The weighted mean of the values; none of them is larger in size than `v_max`."""
    if v_max < LARGEST[v.dtype] / 2:
        return weights @ v
    # Weights that round to a sum just above 1 could carry a mean out of range; halves cannot.
    return doubled(weights @ (v / 2), v_max)


def doubled(mean_of_halves: Tensor, v_max: float) -> Tensor:
    """Twice the mean of halved values, which stays in their range."""
    exact = mean_of_halves.detach()
    # Added rather than clamped in place, because a clamp would cut the gradient of what it moves.
    within = exact.clamp(-v_max / 2, v_max / 2)
    return (mean_of_halves + (within - exact)) * 2

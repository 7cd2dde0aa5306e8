"""What is retrieved: the values, mixed by their weights."""

import torch
from torch import Tensor


def mix(weights: Tensor, v: Tensor, v_max: float) -> Tensor:
    """The weighted mean of the values; none of them is larger in size than `v_max`."""
    if near_the_edge(v, v_max):
        return doubled(weights @ (v / 2), v_max)
    return weights @ v


def near_the_edge(v: Tensor, v_max: float) -> bool:
    """Whether weights that round to a sum just above 1 could carry a mean out of range."""
    return v_max >= torch.finfo(v.dtype).max / 2


def doubled(mean_of_halves: Tensor, v_max: float) -> Tensor:
    """Twice the mean of halved values: halves cannot overflow, and a mean stays in its range."""
    exact = mean_of_halves.detach()
    # Added rather than clamped in place, because a clamp would cut the gradient of what it moves.
    within = exact.clamp(-v_max / 2, v_max / 2)
    return (mean_of_halves + (within - exact)) * 2

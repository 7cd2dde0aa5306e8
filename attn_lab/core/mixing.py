"""What is retrieved: the values, mixed by their weights."""

import torch
from torch import Tensor


def mix(weights: Tensor, v: Tensor, v_max: float) -> Tensor:
    """The weighted mean of the values; none of them is larger in size than `v_max`."""
    if v_max < torch.finfo(v.dtype).max / 2:
        return weights @ v
    # Weights that round to a sum just above 1 would carry the largest float over the edge.
    # Halves cannot overflow, and a mean never leaves the range of what it is made of.
    return (weights @ (v / 2)).clamp(-v_max / 2, v_max / 2) * 2

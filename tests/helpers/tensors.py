"""Random tensors that are the same in every run."""

import torch
from torch import Tensor


def random(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> Tensor:
    """Normally distributed numbers; a narrower dtype holds the same ones, rounded."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)

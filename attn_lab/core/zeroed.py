"""Large zeroed memory that is cheap to get."""

import math
import mmap
import sys

import torch
from torch import Tensor

LARGE = 1 << 23  # bytes


def zeros(shape: list[int], dtype: torch.dtype, device: torch.device) -> Tensor:
    """`torch.zeros`, served where it pays by the system's own zeroed pages.

    A large tensor is new memory, and its first touch costs more than the arithmetic on it when
    it happens page by page. Linux gives huge pages to whoever asks.
    """
    size = math.prod(shape) * dtype.itemsize
    if device.type != "cpu" or size < LARGE or sys.platform != "linux":
        return torch.zeros(shape, dtype=dtype, device=device)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    try:
        pages.madvise(mmap.MADV_HUGEPAGE)
    except OSError:
        pass  # a system without huge pages gives ordinary ones
    return torch.frombuffer(pages, dtype=dtype).view(shape)

"""Large zeroed memory that is cheap to get."""

import contextlib
import math
import mmap
import sys

import torch
from torch import Tensor

LARGE = 1 << 23  # bytes from which new memory costs more than the arithmetic that fills it
HUGE_PAGES_UP_TO = 1 << 26  # bytes; for more, a system may first have to make room, at length


def zeros(shape: list[int], dtype: torch.dtype, device: torch.device) -> Tensor:
    """`torch.zeros`, served where it pays by the system's own zeroed pages.

    What is never written, like the weights of keys that a mask closes, is never even touched;
    and fewer, larger pages are asked for where Linux has them at hand.
    """
    size = math.prod(shape) * dtype.itemsize
    if device.type != "cpu" or size < LARGE or sys.platform != "linux":
        return torch.zeros(shape, dtype=dtype, device=device)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size <= HUGE_PAGES_UP_TO:
        with contextlib.suppress(OSError):  # a system without huge pages gives ordinary ones
            pages.madvise(mmap.MADV_HUGEPAGE)
    return torch.frombuffer(pages, dtype=dtype).view(shape)

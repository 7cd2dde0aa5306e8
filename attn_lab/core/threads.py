"""The number of threads that small tensors are computed with: one, and only meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute with one thread meanwhile: sharing out tensors so small costs more than it saves.

    The number of threads is the learner's again afterwards, after an exception too.

    >>> with one_thread():
    ...     torch.get_num_threads()
    1
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)

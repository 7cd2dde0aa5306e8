"""Arrays that hide some of their entries (`numpy.ma`): a hidden entry counts as blocked."""

from typing import Any

import numpy as np


def hides(x: Any) -> bool:
    """Whether `x`, or a row in it, hides an entry."""
    if isinstance(x, list | tuple):
        return any(hides(part) for part in x)
    return isinstance(x, np.ma.MaskedArray) and bool(np.ma.getmaskarray(x).any())


def uncovered(x: Any) -> Any:
    """`x` with 0 in the place of what it hides, and as it is where it hides nothing.

    >>> uncovered(np.ma.array([0.5, 0.7], mask=[False, True])).tolist()
    [0.5, 0.0]
    """
    if not hides(x):
        return x
    if isinstance(x, list | tuple):
        return [uncovered(part) for part in x]
    return x.filled(0)


def in_view(x: Any, shape: tuple[int, ...]) -> np.ndarray:
    """True where `x`, which has this shape, hides nothing."""
    return ~np.array(_hidden(x), dtype=bool).reshape(shape) if hides(x) else np.ones(shape, bool)


def _hidden(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return [_hidden(part) for part in x]
    if isinstance(x, np.ma.MaskedArray):
        return np.ma.getmaskarray(x)
    return np.zeros(np.shape(x), dtype=bool)

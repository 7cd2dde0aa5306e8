"""How many decimals a result is printed with: the same in its table and in its sentences."""

import math
from collections.abc import Sequence


def decimals(values: Sequence[float]) -> int:
    """Returns how many decimals these numbers are printed with.

    >>> decimals([4, 16.0]), decimals([0.67, 0.33]), decimals([66.976, 1.0])
    (0, 3, 2)
    """
    finite = [abs(value) for value in values if math.isfinite(value)]
    if all(abs(value - round(value)) < 1e-9 for value in finite):
        return 0  # counts; the hair is what another machine may add to a 1
    return 2 if max(finite) >= 10 else 3

"""What a drawing needs besides numbers: two named axes, and numbers that fit on paper."""

from typing import Any

import numpy as np

from attn_lab.show.numbers import number

LARGEST = 1e300  # above it, the span of an axis would overflow


def as_axes(axes: Any) -> tuple[str, str]:
    """Return the names of the two axes as text."""
    if not isinstance(axes, tuple | list) or len(axes) != 2:
        raise ValueError(
            f'axes needs two names, such as ("query", "key"); got {axes!r}. '
            "Name both, or leave axes out."
        )
    return str(axes[0]), str(axes[1])


def check_finite(values: np.ndarray, drawn: np.ndarray, name: str, labels: list[str]) -> None:
    """Refuse nan, infinity and what overflows on paper, where drawn is True, and say where."""
    for i in np.flatnonzero(drawn & ~(np.abs(values) < LARGEST)):
        raise ValueError(
            f"{name} needs finite numbers below {LARGEST:g} to be drawn; got "
            f"{number(values[i], 2)} at {labels[i]}. Drop it, or print the numbers instead."
        )

"""One or several named rows of numbers, as bars and curves take them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attn_lab.show.arrays import as_row


def as_series(values: Any, name: str, default: str) -> dict[str, np.ndarray]:
    """Return values as named rows of one length; a single row gets the default name.

    >>> {key: row.tolist() for key, row in as_series({"τ = 1": [1, 2]}, "values", "w").items()}
    {'τ = 1': [1.0, 2.0]}
    """
    if not isinstance(values, Mapping):
        return {default: as_row(values, name)}
    if not values:
        raise ValueError(f"{name} needs at least one named row; got an empty mapping.")
    rows = {str(key): as_row(row, f"{name}[{key!r}]") for key, row in values.items()}
    lengths = {key: len(row) for key, row in rows.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"{name} needs rows of one length; got {lengths}. Check each row.")
    return rows

"""The fixed tensors of the course, in float64 so that every machine prints the same digits."""

from typing import NamedTuple

import torch
from torch import Tensor


class QKV(NamedTuple):
    """Queries, keys and values that belong together."""

    q: Tensor
    k: Tensor
    v: Tensor


def one_row() -> QKV:
    """Return the one query of notebook 01 with its two keys and two values.

    Shapes: q [1, 2], k [2, 2], v [2, 2]. The weights are 0.670 0.330, the output 6.70 6.60.
    """
    return QKV(
        q=torch.tensor([[1.0, 0.0]], dtype=torch.float64),
        k=torch.tensor([[1.0, 0.0], [0.0, 1.0]], dtype=torch.float64),
        v=torch.tensor([[10.0, 0.0], [0.0, 20.0]], dtype=torch.float64),
    )


def places() -> QKV:
    """Return the four positions of notebook 05; each value is a place, km east and km north.

    Shapes: q [4, 2], k [4, 2], v [4, 2]. Dot products are whole numbers, so that with
    √d_k = √2 each whole step in a dot product halves the weight (e^(−1/√2) = 0.493).
    Position 2 and keys 1 and 2 are those of `one_row`.
    """
    return QKV(
        q=torch.tensor([[0, -1], [1, 0], [0, 1], [1, -2]], dtype=torch.float64),
        k=torch.tensor([[1, 0], [0, 1], [-2, -1], [3, 2]], dtype=torch.float64),
        v=torch.tensor([[10, 0], [0, 20], [40, 10], [30, 50]], dtype=torch.float64),
    )

"""What an explorer is given, as small float64 matrices that fit together."""

from typing import Any

import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.show.arrays import as_features

MOST_POSITIONS = 16


def matrices(
    q: Any, k: Any, v: Any, most: int = MOST_POSITIONS, *, square: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """Return q, k and v as float64 matrices of at most `most` positions each.

    square asks for as many queries as keys.

    Shapes: q [T, d_k], k [T, d_k], v [T, d_v].
    Raises: ValueError when a matrix has other axes, too many rows, or does not fit the others.
    """
    made = [torch.from_numpy(as_features(x, name)) for x, name in ((q, "q"), (k, "k"), (v, "v"))]
    for x, name in zip(made, "qkv", strict=True):
        if len(x) > most:
            raise ValueError(
                f"{name} needs at most {most} positions, to stay readable; got {len(x)}. "
                f"Pass the first ones, for example {name}[:{most}]."
            )
    attention(*made)  # says which shapes do not fit
    if square and len(made[0]) != len(made[1]):
        raise ValueError(
            f"q and k need the same positions, for a causal mask; got {len(made[0])} queries and "
            f"{len(made[1])} keys. Pass both from one sequence."
        )
    return made[0], made[1], made[2]

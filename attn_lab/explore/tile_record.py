"""One row read tile by tile, every number kept between two tiles written down."""

import math
from dataclasses import dataclass

from torch import Tensor

from attn_lab.core.masks import causal_mask
from attn_lab.core.scores import scaled_scores


@dataclass(frozen=True)
class TileStep:
    """What one tile brings and what is kept after it; mixed is the output before the division."""

    first: int  # of its keys, an index from 0
    scores: list[float | None]  # None where blocked
    maximum: float
    factor: float
    total: float
    mixed: Tensor  # [d_v]

    @property
    def last(self) -> int:
        return self.first + len(self.scores) - 1

    @property
    def skipped(self) -> bool:
        """Whether no key of the tile may be read."""
        return all(score is None for score in self.scores)

    def output(self) -> Tensor | None:
        """Return the output so far, or nothing while nothing could be read."""
        return self.mixed / self.total if self.total > 0 else None


def read_in_tiles(scores: Tensor, v: Tensor, allowed: Tensor, size: int) -> list[TileStep]:
    """Return the steps of one row: maximum, factor for what was kept, sum, mixed values.

    Shapes: scores [T_k], v [T_k, d_v], allowed [T_k].
    Source: Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022, section 3.1.

    >>> import torch
    >>> scores, v = torch.tensor([1.0, 3, 2, 5]).double(), torch.eye(4).double()
    >>> steps = read_in_tiles(scores, v, torch.ones(4).bool(), 2)
    >>> [(s.maximum, round(s.factor, 3), round(s.total, 3)) for s in steps]
    [(3.0, 0.0, 1.135), (5.0, 0.135, 1.203)]
    """
    maximum, total, mixed = -math.inf, 0.0, v.new_zeros(v.shape[1])
    steps = []
    for first in range(0, len(scores), size):
        part = slice(first, first + size)
        legal = allowed[part]
        shown = [s if ok else None for s, ok in zip(scores[part].tolist(), legal, strict=True)]
        factor = 1.0
        if legal.any():
            tile, values = scores[part][legal], v[part][legal]
            highest = max(maximum, float(tile.max()))
            factor = math.exp(maximum - highest)  # 0 at the first tile that may be read
            parts = (tile - highest).exp()
            total = total * factor + float(parts.sum())
            mixed = mixed * factor + parts @ values
            maximum = highest
        steps.append(TileStep(first, shown, maximum, factor, total, mixed))
    return steps


def row_in_tiles(
    q: Tensor, k: Tensor, v: Tensor, row: int, masked: bool, size: int, scale: float | None
) -> list[TileStep]:
    """Return the steps of one query of an attention.

    Shapes: q [T, d_k], k [T, d_k], v [T, d_v].
    """
    scores = scaled_scores(q, k, scale=scale)[row]
    allowed = causal_mask(len(q), len(k), align="lower_right")[row]
    return read_in_tiles(scores, v, allowed if masked else allowed | True, size)

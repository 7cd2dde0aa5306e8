"""One row read tile by tile, every number kept between two tiles written down."""

from dataclasses import dataclass

from torch import Tensor

from attn_lab.core.attention import scaled_scores
from attn_lab.core.masks import causal_mask
from attn_lab.core.tiles import TileStep as CoreStep
from attn_lab.core.tiles import tile_steps


@dataclass(frozen=True)
class TileStep:
    """What one tile brings, and what is kept after it."""

    first: int  # of its keys, an index from 0
    scores: list[float | None]  # None where blocked
    maximum: float
    factor: float
    total: float
    mean: Tensor  # [d_v] of the values read so far, 0 while there were none

    @property
    def last(self) -> int:
        return self.first + len(self.scores) - 1

    @property
    def skipped(self) -> bool:
        """Whether no key of the tile may be read."""
        return all(score is None for score in self.scores)

    def output(self) -> Tensor | None:
        """Return the output so far, or nothing while nothing could be read."""
        return self.mean if self.total > 0 else None


def read_in_tiles(scores: Tensor, v: Tensor, allowed: Tensor, size: int) -> list[TileStep]:
    """Return the steps of one row, as `core.tiles` takes them.

    Shapes: scores [T_k], v [T_k, d_v], allowed [T_k].

    >>> import torch
    >>> scores, v = torch.tensor([1.0, 3, 2, 5]).double(), torch.eye(4).double()
    >>> steps = read_in_tiles(scores, v, torch.ones(4).bool(), 2)
    >>> [(s.maximum, round(s.factor, 3), round(s.total, 3)) for s in steps]
    [(3.0, 0.0, 1.135), (5.0, 0.135, 1.203)]
    """
    one = scores.new_ones(1, 1)  # a query of 1 whose keys are the scores themselves
    mask = allowed[None]
    found = tile_steps(
        one, scores[:, None], v, allowed=mask, scale=1.0, fully_masked="zero", block_size=size
    )
    return [_step(step, scores, allowed) for step in found]


def _step(step: CoreStep, scores: Tensor, allowed: Tensor) -> TileStep:
    legal = zip(scores[step.keys].tolist(), allowed[step.keys], strict=True)
    shown = [score if ok else None for score, ok in legal]
    maximum, factor, total = (float(each) for each in (step.maximum, step.factor, step.total))
    return TileStep(step.keys.start, shown, maximum, factor, total, step.output[0])


def row_in_tiles(
    q: Tensor, k: Tensor, v: Tensor, row: int, masked: bool, size: int, scale: float | None
) -> list[TileStep]:
    """Return the steps of one query of an attention.

    Shapes: q [T, d_k], k [T, d_k], v [T, d_v].
    """
    scores = scaled_scores(q, k, scale=scale)[row]
    allowed = causal_mask(len(q), len(k), align="lower_right")[row]
    return read_in_tiles(scores, v, allowed if masked else allowed | True, size)

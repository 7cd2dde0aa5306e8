"""Wrong ways to run a softmax tile by tile, over one row of scores (-inf where blocked)."""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from attn_lab.grade.mistakes.mistake_entry import Mistake


class Running(NamedTuple):
    """What is kept after the last tile."""

    maximum: float
    factor: float  # of everything kept before the last tile
    total: float
    output: Tensor  # [d_v]


Rule = Callable[[float, float], float]
Rescaled = Callable[[float], tuple[float, float]]  # the factors of the sum and of the mix


def running(
    scores: Tensor,
    v: Tensor,
    tile_size: int,
    maximum_of: Rule = max,
    factor_of: Rule = lambda old, new: 0.0 if old == -math.inf else math.exp(old - new),
    start_from_nothing: bool = True,
    rescaled: Rescaled = lambda factor: (factor, factor),
) -> Running:
    """One row read tile by tile, by the rules given: right with those that stand there."""
    maximum, factor, total = -math.inf, 0.0, 0.0
    mixed = v.new_zeros(v.shape[-1])
    for tile, values in zip(scores.split(tile_size), v.split(tile_size), strict=True):
        highest = maximum_of(maximum, tile.max().item())
        if highest == -math.inf and start_from_nothing:
            continue  # nothing could be read so far, and nothing is known
        factor = factor_of(maximum, highest)
        parts = (tile - highest).exp()
        of_total, of_mixed = rescaled(factor)
        total = total * of_total + parts.sum().item()
        mixed = mixed * of_mixed + parts @ values
        maximum = highest
    output = mixed if maximum == -math.inf else mixed / total
    return Running(maximum, factor, total, output)


def _wrong(name: str, misconception: str, says: str, **rules: object) -> Mistake:
    def run(scores: Tensor, v: Tensor, tile_size: int) -> Running:
        return running(scores, v, tile_size, **rules)  # type: ignore[arg-type]

    return Mistake(name, misconception, run, "tiles", says)


def _mean_of_tiles(scores: Tensor, v: Tensor, tile_size: int) -> Running:
    pairs = zip(scores.split(tile_size), v.split(tile_size), strict=True)
    outputs = [running(tile, values, tile_size).output for tile, values in pairs]
    return Running(scores.max().item(), 1.0, float(len(outputs)), torch.stack(outputs).mean(0))


def _small_dropped(scores: Tensor, v: Tensor, tile_size: int) -> Running:
    weights = scores.softmax(-1)
    kept = weights * (weights >= 1 / len(scores))
    return Running(scores.max().item(), 1.0, kept.sum().item(), kept @ v / kept.sum())


def _without_maximum(scores: Tensor, v: Tensor, tile_size: int) -> Running:
    parts = scores.exp()
    total = parts.sum()
    return Running(0.0, 1.0, total.item(), parts @ v / total)


def _infinity_minus_infinity(old: float, new: float) -> float:
    return math.nan if old == new == -math.inf else math.exp(old - new)


TILES = (
    _wrong(
        "no_rescale",
        "old-sums-stay-valid",
        "What was kept stays as it is when the maximum rises.",
        factor_of=lambda old, new: 0.0 if old == -math.inf else 1.0,
    ),
    _wrong(
        "total_not_rescaled",
        "old-sums-stay-valid",
        "The mix of the values is rescaled, and the sum of the exponentials is not.",
        rescaled=lambda factor: (1.0, factor),
    ),
    _wrong(
        "mix_not_rescaled",
        "old-sums-stay-valid",
        "The sum of the exponentials is rescaled, and the mix of the values is not.",
        rescaled=lambda factor: (factor, 1.0),
    ),
    _wrong(
        "rescale_reversed",
        "rescale-reversed",
        "What was kept grows with the maximum: the factor is turned upside down.",
        factor_of=lambda old, new: 0.0 if old == -math.inf else math.exp(new - old),
    ),
    _wrong(
        "maximum_frozen",
        "maximum-frozen",
        "The first tile's maximum is kept for good, and later exponentials can overflow.",
        maximum_of=lambda old, new: new if old == -math.inf else old,
    ),
    _wrong(
        "maximum_from_zero",
        "computer-does-mathematics",
        "The maximum starts at 0, and the exponentials of very low scores all become 0.",
        maximum_of=lambda old, new: max(old, new, 0.0),
        start_from_nothing=False,
    ),
    Mistake(
        "tiles_without_maximum",
        "computer-does-mathematics",
        _without_maximum,
        "tiles",
        "No maximum is subtracted, and exponentials overflow or all become 0.",
    ),
    _wrong(
        "first_tile_blocked",
        "infinities-cancel",
        "A first tile with nothing to read gives -inf minus -inf, and nan for good.",
        factor_of=_infinity_minus_infinity,
        start_from_nothing=False,
    ),
    Mistake(
        "mean_of_tiles",
        "tiles-count-alike",
        _mean_of_tiles,
        "tiles",
        "Each tile gets a softmax of its own, and the tiles' outputs are averaged.",
    ),
    Mistake(
        "small_weights_dropped",
        "flash-skips-small",
        _small_dropped,
        "tiles",
        "Weights below an even share are dropped.",
    ),
)

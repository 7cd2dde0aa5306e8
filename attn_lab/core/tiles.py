"""Attention tile by tile: exact, without ever holding a score for every pair.

It reorders the arithmetic and drops no weight: `online_softmax` is the loop.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lab.core.attention import cut_unread, multiply
from attn_lab.core.checks.arguments import check_count
from attn_lab.core.checks.arithmetic import (
    LARGEST,
    as_given,
    below,
    doubled,
    in_float32_at_least,
    without_autocast,
)
from attn_lab.core.checks.fit import Inputs, check_inputs
from attn_lab.core.checks.values import survey
from attn_lab.core.fast.row_blocks import look_at_blocks, reaches

Tile = tuple[Tensor, Tensor, Tensor | None]  # scores [..., T_q, n], values [..., n, d_v], allowed
Kept = tuple[Tensor, Tensor, Tensor, Tensor]  # maximum, factor and sum [..., T_q, 1], and output


def online_softmax(tiles: Iterable[Tile], lowest: Tensor, temperature: float) -> Iterator[Kept]:
    """The maximum, the factor, the sum and the output after each tile, right for what was seen.

    Scores are -inf where nothing may be read, else none is below `lowest`.
    """
    maximum = lowest
    total = output = torch.zeros_like(lowest)
    for scores, values, allowed in tiles:
        higher = torch.maximum(maximum, scores.detach().amax(dim=-1, keepdim=True))
        factor = below(maximum, higher, temperature).exp()  # too little was subtracted so far
        parts = below(scores, higher, temperature).exp()
        kept, maximum = total * factor, higher
        total = kept + parts.sum(dim=-1, keepdim=True)
        whole = total.clamp(min=1.0)  # the highest score adds 1: a sum below that is 0
        output = output * (kept / whole) + cut_unread(parts / whole, allowed) @ values
        yield maximum, factor, total, output


def tiled_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    allowed: Tensor | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    fully_masked: str = "raise",
    block_size: int = 128,
) -> Tensor:
    """The output of `attention`, found in tiles of `block_size` queries by `block_size` keys.

    Shapes: as in `attention` -> [..., T_q, d_v]. Tiles that the mask closes are left out.
    Raises: as `attention`; ValueError for a block size below 1.
    Source: Dao et al. 2022 (FlashAttention), section 3.1, without its care for slow memory.

    >>> q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> tiled_attention(q, k, torch.tensor([[10.0, 0.0], [0.0, 20.0]]), block_size=1)
    tensor([[6.6976, 6.6048]])
    """
    given = check_inputs(q, k, v, allowed, scale, temperature, fully_masked)
    size = check_count("block_size", block_size)
    T_q, T_k, dtype = q.shape[-2], k.shape[-2], given.q.dtype
    look = [] if given.allowed is None else [look_at_blocks(given.allowed, T_q, T_k, size)]
    with without_autocast(q):
        given, found = _surveyed(given, fully_masked, *look)
        outputs = []
        for rows, keys, _ in reaches(found[0] if found else None, T_q, T_k, size):
            # Rows that read nothing at all go through one tile, which leaves them 0.
            tiles = range(keys.start // size, max(1, -(-keys.stop // size)))
            for *_, output in _steps(given, rows, size, tiles):
                last = output
            outputs.append(last)
        return as_given(torch.cat(outputs, -2), dtype)


class TileStep(NamedTuple):
    """Where each query stands after one more tile of keys."""

    tile: int  # counted from 1
    keys: slice  # the tile's keys, as indices
    maximum: Tensor  # [..., T_q, 1] highest legal score so far, -inf while there was none
    factor: Tensor  # [..., T_q, 1] e^(old maximum - new one), for everything kept before
    total: Tensor  # [..., T_q, 1] sum of the exponentials, measured from the maximum
    output: Tensor  # [..., T_q, d_v] weighted mean of the values seen so far


def tile_steps(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    allowed: Tensor | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    fully_masked: str = "raise",
    block_size: int = 2,
) -> list[TileStep]:
    """What the online softmax keeps after each tile of `block_size` keys, for all queries.

    Shapes: as in `attention`; a `TileStep` says the shapes of what it holds.
    Raises: as `tiled_attention`.
    Source: Milakov and Gimelshein 2018 (online softmax), algorithm 3.

    >>> q, k = torch.tensor([[1.0]]), torch.tensor([[1.0], [3.0], [2.0], [5.0]])
    >>> first, second = tile_steps(q, k, torch.eye(4), scale=1.0)
    >>> second.maximum.item(), round(second.factor.item(), 3), round(second.total.item(), 3)
    (5.0, 0.135, 1.203)
    """
    given = check_inputs(q, k, v, allowed, scale, temperature, fully_masked)
    size = check_count("block_size", block_size)
    with without_autocast(q):
        given, _ = _surveyed(given, fully_masked)
        tiles = range(-(-k.shape[-2] // size))
        steps, before = [], given.q.new_zeros(1)
        for tile in zip(tiles, _steps(given, slice(None), size, tiles), strict=True):
            number, (maximum, factor, total, output) = tile
            maximum = maximum.masked_fill(total == 0, -math.inf)  # nothing could be read
            factor = factor.masked_fill(before == 0, 0.0)  # nothing was kept
            keys = _keys(given, number, size)
            steps.append(TileStep(number + 1, keys, maximum, factor, total, output))
            before = total
        return steps


def _steps(given: Inputs, rows: slice, size: int, which: Iterable[int]) -> Iterator[Kept]:
    """What is kept for a block of queries after each of these tiles of `size` keys."""
    q, k, v, allowed, scale, temperature, _, v_max = given
    T_k = k.shape[-2]
    if allowed is not None:
        allowed = allowed.expand(*allowed.shape[:-2], q.shape[-2], T_k)[..., rows, :]
    halved = v_max >= LARGEST[v.dtype] / 2  # as in `mix`

    def tiles() -> Iterator[Tile]:
        for keys in (_keys(given, tile, size) for tile in which):
            scores = multiply(q[..., rows, :], k[..., keys, :], scale)
            values = v[..., keys, :] / 2 if halved else v[..., keys, :]
            seen = None if allowed is None else allowed[..., keys]
            if seen is not None:
                scores.masked_fill_(~seen, -math.inf)
            yield scores, values, seen

    lowest = q.new_full((1,), -LARGEST[q.dtype])
    for maximum, factor, total, output in online_softmax(tiles(), lowest, temperature):
        yield maximum, factor, total, doubled(output, v_max) if halved else output


def _keys(given: Inputs, tile: int, size: int) -> slice:
    return slice(tile * size, min((tile + 1) * size, given.k.shape[-2]))


def _surveyed(given: Inputs, fully_masked: str, *more: Tensor) -> tuple[Inputs, list[Any]]:
    found = survey(given, fully_masked, *more)
    q, k, v = (in_float32_at_least(x) for x in given[:3])
    return given._replace(q=q, k=k, v=v, v_max=found.v_max), found.more

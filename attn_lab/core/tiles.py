"""Attention tile by tile: exact, without ever holding a score for every pair.

It reorders the arithmetic and drops no weight.
"""

from typing import Any

import torch
from torch import Tensor

from attn_lab.core.checks import check_count
from attn_lab.core.inputs import Inputs, check_inputs
from attn_lab.core.online_softmax import TileStep, online_softmax
from attn_lab.core.precision import as_given, in_float32_at_least, without_autocast
from attn_lab.core.reach import look_at_blocks, reaches
from attn_lab.core.scores import refuse_overflow_in_blocks
from attn_lab.core.survey import survey


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
    T_q, T_k = q.shape[-2], k.shape[-2]
    allowed = given.allowed
    look = [] if allowed is None else [look_at_blocks(allowed, T_q, T_k, size)]
    with without_autocast(q):
        given, found = _surveyed(given, fully_masked, *look)
        outputs = []
        for rows, keys, _ in reaches(found[0] if found else None, T_q, T_k, size):
            # Rows that read nothing at all go through one tile, which makes them 0.
            tiles = range(keys.start // size, max(1, -(-keys.stop // size)))
            for step in online_softmax(_of_rows(given, rows), size, tiles):
                output = step.output  # only the last one is kept
            outputs.append(output)
        return as_given(torch.cat(outputs, -2), q.dtype)


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
        return list(online_softmax(_of_rows(given, slice(None)), size, tiles))


def _of_rows(given: Inputs, rows: slice) -> Inputs:
    allowed = given.allowed
    if allowed is not None:
        T_q, T_k = given.q.shape[-2], given.k.shape[-2]
        allowed = allowed.expand(*allowed.shape[:-2], T_q, T_k)[..., rows, :]
    return given._replace(q=given.q[..., rows, :], allowed=allowed)


def _surveyed(given: Inputs, fully_masked: str, *more: Tensor) -> tuple[Inputs, list[Any]]:
    found = survey(given, fully_masked, *more)
    if not found.scores_fit:
        refuse_overflow_in_blocks(given.q, given.k, given.scale)
    q, k, v = (in_float32_at_least(x) for x in given[:3])
    return given._replace(q=q, k=k, v=v, v_max=found.v_max), found.more

"""Attention in blocks of queries, leaving out the keys that the mask forbids to all of them.

The arithmetic is that of the written-out form. Beside its results it holds one small block of
scores, and it serves where no gradient is asked for. How far each block reaches comes second.
"""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lab.core.checks.arithmetic import below, in_float32_at_least, mix, times
from attn_lab.core.checks.fit import Inputs

LARGEST_BLOCK = (1024, 128)  # rows of scratch, and rows of one head in it


class Reach(NamedTuple):
    """A block of neighbouring queries and the keys that some of them may read."""

    rows: slice
    keys: slice  # from the first to the last key that some row may read
    open_to: int  # every row may read every key from keys.start up to here


def block_shape(given: Inputs) -> tuple[int, int]:
    """How many heads, and how many queries of each, go in a block: [heads, queries].

    Many heads share the work of one step among the processor's cores. The scratch block stays
    within 1/32 of the weights or, together with the output, within 2/21 of them.
    """
    all_rows = given.q.shape[:-1].numel()
    share = max(1 / 32, 2 / 21 - given.v.shape[-1] / given.k.shape[-2])
    rows = int(all_rows * share)
    queries = min(max(rows, 32), LARGEST_BLOCK[1])
    heads = min(rows, LARGEST_BLOCK[0]) // queries
    return max(1, min(heads, given.q.shape[-3])), queries


def attend_in_blocks(
    given: Inputs, blocks: list[Reach], output: Tensor, weights: Tensor | None, first_row: int = 0
) -> None:
    """Fill `output`, and `weights` where wanted, from `first_row` on.

    What a row does not read is left as it was, which should be 0.
    """
    heads, queries = block_shape(given)
    scratch_size = heads * queries * given.k.shape[-2]
    scratch = in_float32_at_least(given.q[:0]).new_empty(scratch_size)
    for index in _groups(given.q.shape[:-2], heads):
        one = _pick(given, index)
        for block in blocks:
            rows, keys, _ = block
            if rows.stop <= first_row or keys.start == keys.stop:
                continue
            mixed = _weigh_block(one, block, scratch)
            rows = slice(max(rows.start, first_row), rows.stop)
            new = slice(rows.start - block.rows.start, None)
            output[index][:, rows] = mix(mixed, one.v[:, keys], given.v_max)[:, new]
            if weights is not None:
                weights[index][:, rows, keys] = mixed[:, new]


def _weigh_block(one: Inputs, block: Reach, scratch: Tensor) -> Tensor:
    """The weights of one block, [heads, rows, keys], held in `scratch`."""
    rows, keys, open_to = block
    shape = (len(one.q), rows.stop - rows.start, keys.stop - keys.start)
    scores = scratch[: math.prod(shape)].view(shape)
    torch.bmm(times(one.q[:, rows], one.scale), one.k[:, keys].transpose(-2, -1), out=scores)
    if one.allowed is not None and open_to < keys.stop:
        closed = ~one.allowed[..., rows, open_to : keys.stop]
        scores[..., open_to - keys.start :].masked_fill_(closed, -math.inf)
    _soften(scores, one.temperature)
    if one.empty is not None:  # not-a-number so far, and here no gradient could tell
        scores.masked_fill_(one.empty[..., rows, :], 0.0)
    return scores


def _soften(scores: Tensor, temperature: float) -> None:
    """Softmax in place."""
    if temperature != 1.0:
        scores.copy_(below(scores, scores.amax(-1, keepdim=True), temperature))
    torch.softmax(scores, -1, out=scores)


def _groups(leading: torch.Size, heads: int) -> Iterator[tuple[int | slice, ...]]:
    """Indices that pick a few heads at a time, all of one batch entry: [heads, T, d]."""
    *outer, inner = leading
    for index in product(*(range(n) for n in outer)):
        for start in range(0, inner, heads):
            yield (*index, slice(start, start + heads))


def _pick(given: Inputs, index: tuple[int | slice, ...]) -> Inputs:
    q, k, v = (in_float32_at_least(x[index]) for x in given[:3])
    T_q, T_k = q.shape[-2], k.shape[-2]
    allowed, empty = given.allowed, given.empty
    if allowed is not None:
        allowed = _of_group(allowed, index).expand(-1, T_q, T_k)
    if empty is not None:
        empty = _of_group(empty, index).expand(-1, T_q, 1)
    return given._replace(q=q, k=k, v=v, allowed=allowed, empty=empty)


def _of_group(mask: Tensor, index: tuple[int | slice, ...]) -> Tensor:
    """The part of a mask that goes with a group of heads: [heads or 1, T_q, T_k]."""
    if mask.dim() == 2:
        return mask[None]
    alone = [slice(None) if isinstance(i, slice) else 0 for i in index]
    picked = zip(index, alone, mask.shape[:-2], strict=True)
    return mask[tuple(i if n > 1 else whole for i, whole, n in picked)]


def row_blocks(T_q: int, size: int) -> list[slice]:
    return [slice(start, min(start + size, T_q)) for start in range(0, T_q, size)]


def look_at_blocks(allowed: Tensor, T_q: int, T_k: int, size: int) -> Tensor:
    """What `reaches` needs to know of the mask, still on the device: int [5, blocks].

    First key, key after the last, first key closed to some row, whether nothing is open, and
    whether the block's square on the diagonal is not the causal one.
    """
    byte = allowed.view(torch.uint8)  # amax and amin over bytes are far faster than any and all
    byte = byte.expand(*byte.shape[:-2], T_q, T_k)
    around = tuple(range(byte.dim() - 2))
    parts = _equal_blocks(byte, size)
    some = torch.cat([part.amax((*around, -2)) for part in parts]).clamp(max=1)  # [blocks, T_k]
    every = torch.cat([part.amin((*around, -2)) for part in parts])
    first = some.argmax(1)
    after = T_k - some.flip(1).argmax(1)
    closed = (every == 0) & (torch.arange(T_k, device=some.device) >= first[:, None])
    open_to = torch.where(closed.amax(1), closed.byte().argmax(1), T_k)
    nothing = (some.amax(1) == 0).long()
    return torch.stack((first, after, open_to, nothing, _not_causal(parts, T_q == T_k)))


def _equal_blocks(byte: Tensor, size: int) -> list[Tensor]:
    """The rows in whole blocks, and what remains as one more: each [..., blocks, rows, T_k]."""
    whole = byte.shape[-2] // size * size
    parts = [byte[..., :whole, :].unflatten(-2, (-1, size)), byte[..., None, whole:, :]]
    return [part for part in parts if part.numel()]


def _not_causal(parts: list[Tensor], square: bool) -> Tensor:
    """1 for each block whose square on the diagonal is not the lower triangle."""
    found, start = [], 0
    for part in parts:
        blocks, rows = part.shape[-3:-1]
        if part.dim() > 3 or not square:
            found.append(torch.ones(blocks, dtype=torch.int64, device=part.device))
            continue
        # Block b begins at row and column start + b * rows: one step down, one to the right.
        block, row, column = part.stride()
        at = part.storage_offset() + start * column
        squares = part.as_strided((blocks, rows, rows), (block + rows * column, row, column), at)
        triangle = torch.ones(rows, rows, dtype=torch.uint8, device=part.device).tril()
        found.append((squares ^ triangle).amax((1, 2)).long())
        start += blocks * rows
    return torch.cat(found)


def reaches(look: list[list[int]] | None, T_q: int, T_k: int, size: int) -> list[Reach]:
    """The reach of each block, from what was read of the mask (None where there is none)."""
    blocks = row_blocks(T_q, size)
    if look is None:
        return [Reach(rows, slice(0, T_k), T_k) for rows in blocks]
    found = zip(blocks, *([int(n) for n in line] for line in look[:4]), strict=True)
    return [
        Reach(rows, slice(0, 0), 0) if nothing else Reach(rows, slice(lo, hi), min(open_to, hi))
        for rows, lo, hi, open_to, nothing in found
    ]


def merge(blocks: list[Reach], rows: int) -> list[Reach]:
    """Fewer blocks, of about `rows` queries, for what has a cost per block."""
    together = max(1, rows // blocks[0].rows.stop)
    return [_union(blocks[i : i + together]) for i in range(0, len(blocks), together)]


def _union(blocks: list[Reach]) -> Reach:
    rows = slice(blocks[0].rows.start, blocks[-1].rows.stop)
    reaching = [block for block in blocks if block.keys.start < block.keys.stop]
    if not reaching:
        return Reach(rows, slice(0, 0), 0)
    lo = min(block.keys.start for block in reaching)
    hi = max(block.keys.stop for block in reaching)
    shared = all(block.keys.start == lo for block in blocks) and len(reaching) == len(blocks)
    return Reach(rows, slice(lo, hi), min(block.open_to for block in blocks) if shared else lo)


def is_causal(look: list[list[Any]], blocks: list[Reach]) -> bool:
    """Whether the mask is the square causal one: each query reads itself and all before it."""
    return not any(look[4]) and all(
        keys == slice(0, rows.stop) and open_to >= rows.start for rows, keys, open_to in blocks
    )

"""How far each block of queries reaches: what the mask lets a fast path leave out."""

from typing import Any, NamedTuple

import torch
from torch import Tensor


class Reach(NamedTuple):
    """A block of neighbouring queries and the keys that some of them may read."""

    rows: slice
    keys: slice  # from the first to the last key that some row may read
    open_to: int  # every row may read every key from keys.start up to here


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

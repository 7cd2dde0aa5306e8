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
    around = tuple(range(byte.dim() - 1))
    blocks = [byte[..., rows, :] for rows in row_blocks(T_q, size)]
    some = torch.stack([block.amax(around) for block in blocks])  # [blocks, T_k]
    every = torch.stack([block.amin(around) for block in blocks])
    first = some.argmax(1)
    after = T_k - some.flip(1).argmax(1)
    closed = (every == 0) & (torch.arange(T_k, device=some.device) >= first[:, None])
    open_to = torch.where(closed.any(1), closed.byte().argmax(1), T_k)
    nothing = (some.amax(1) == 0).long()
    return torch.stack((first, after, open_to, nothing, _not_causal(byte, size)))


def _not_causal(byte: Tensor, size: int) -> Tensor:
    T_q, T_k = byte.shape[-2:]
    if byte.dim() > 2 or T_q != T_k:
        return torch.ones(len(row_blocks(T_q, size)), dtype=torch.int64, device=byte.device)
    corner = torch.ones(size, size, dtype=torch.uint8, device=byte.device).tril()
    squares = [byte[rows, rows] for rows in row_blocks(T_q, size)]
    return torch.stack([(s ^ corner[: len(s), : len(s)]).amax().long() for s in squares])


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


def merge(blocks: list[Reach], together: int = 4) -> list[Reach]:
    """Fewer, larger blocks, for what has a cost per block; all rows in one if nothing is masked."""
    if len({(block.keys.start, block.open_to, block.keys.stop) for block in blocks}) == 1:
        together = len(blocks)
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

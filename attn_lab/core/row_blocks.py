"""Attention in blocks of queries, leaving out the keys that the mask forbids to all of them.

The arithmetic is that of the written-out form. Beside its results it holds one small block of
scores, and it serves where no gradient is asked for.
"""

import math
from collections.abc import Iterator
from itertools import product

import torch
from torch import Tensor

from attn_lab.core.inputs import Inputs
from attn_lab.core.mixing import mix
from attn_lab.core.precision import in_float32_at_least, times
from attn_lab.core.reach import Reach
from attn_lab.core.softmax import soften_

LARGEST_BLOCK = (1024, 128)  # rows of scratch, and rows of one head in it


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
    soften_(scores, one.temperature)
    if one.empty is not None:  # not-a-number so far, and here no gradient could tell
        scores.masked_fill_(one.empty[..., rows, :], 0.0)
    return scores


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

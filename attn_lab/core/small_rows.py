"""Which rows are small enough for the fused kernel, whatever else the inputs hold.

A row counts with the rows before it and the keys up to the last that these may read: nothing
which lies further on decides how a row is computed.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from attn_lab.core.inputs import Inputs
from attn_lab.core.precision import in_float32_at_least, times

LARGE_SCORE = 32.0  # from here on the kernel's order of arithmetic could show in float32


class Lengths(NamedTuple):
    """The lengths of the rows of q, k and v: no dot product of two rows exceeds their product."""

    q: Tensor  # [..., T_q]
    k: Tensor  # [..., T_k]
    v: Tensor  # [..., T_k]


def lengths_of(given: Inputs) -> Lengths:
    return Lengths(*(_lengths(in_float32_at_least(x)) for x in given[:3]))


def _lengths(x: Tensor) -> Tensor:
    lost = x.shape[-1] * torch.finfo(x.dtype).tiny  # squares too small for a float count as 0
    return torch.linalg.vector_norm(x, dim=-1) + math.sqrt(lost)


def count_small_rows(size: Lengths, factor: float) -> Tensor:
    """How many rows, from the first on, are small enough for the kernel for sure: int [2].

    Under the square causal mask (0 where it does not fit), and without a mask.
    """
    q, k, v = (x.cummax(-1).values for x in (times(size.q, abs(factor)), size.k, size.v))
    T_q, T_k = q.shape[-1], k.shape[-1]
    causal = _count(q, k, v, T_k) if T_q == T_k else q.new_zeros((), dtype=torch.int64)
    return torch.stack((causal, _count(q, k[..., -1:], v[..., -1:], T_k)))


def count_small_rows_under(allowed: Tensor, size: Lengths, factor: float) -> Tensor:
    """The same under any mask, and how many keys these rows reach: int [2]."""
    T_q, T_k = size.q.shape[-1], size.k.shape[-1]
    closed = closed_keys(allowed)  # a key that no query may read does not count
    k, v = size.k.masked_fill(closed, 0.0), size.v.masked_fill(closed, 0.0)
    q, k, v = (x.cummax(-1).values for x in (times(size.q, abs(factor)), k, v))
    after = _after_last_key(allowed, T_k).cummax(-1).values.expand(T_q)
    last, nothing = (after - 1).clamp(min=0), after == 0
    k, v = (x[..., last].masked_fill(nothing, 0.0) for x in (k, v))
    count = _count(q, k, v, T_k)
    return torch.stack((count, after[(count - 1).clamp(min=0)]))


def _count(q: Tensor, k: Tensor, v: Tensor, T_k: int) -> Tensor:
    """How many rows of every sequence and head are small; sizes only grow along the rows."""
    sums = torch.finfo(v.dtype).max / (4 * T_k)  # the kernel divides sums at the end
    return ((q * k <= LARGE_SCORE) & (v <= sums)).sum(-1).amin()


def closed_keys(allowed: Tensor) -> Tensor:
    """True for each key that no query may read."""
    return allowed.view(torch.uint8).amax(-2) == 0


def _after_last_key(allowed: Tensor, T_k: int, rows: int = 512) -> Tensor:
    """The index after the last key that each query may read in any sequence or head."""
    found = []
    for part in allowed.view(torch.uint8).split(rows, dim=-2):
        some = part.amax(tuple(range(part.dim() - 2))) if part.dim() > 2 else part
        some = some.expand(-1, T_k)  # [rows, T_k]
        found.append((T_k - some.flip(-1).argmax(-1)).masked_fill(some.amax(-1) == 0, 0))
    return torch.cat(found)

"""The output alone, by torch's fused kernel: no score is ever kept.

The kernel orders its arithmetic differently. That is the same to 1e-5 as long as scores are
small; rows whose scores may be large are left to the blocks, which compute as the written-out
form does. A row counts with the rows before it and the keys up to the last that these may read:
nothing which lies further on decides how a row is computed.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

from attn_lab.core.checks.arithmetic import as_given, in_float32_at_least, times
from attn_lab.core.checks.fit import Inputs
from attn_lab.core.fast.row_blocks import Reach

ROWS = 768  # queries in a block under another mask: from here on the kernel takes large bites
LARGE_SCORE = 32.0  # from here on the kernel's order of arithmetic could show in float32


def may_serve(q: Tensor) -> bool:
    """Whether torch has a kernel without a matrix of scores: not for float64 on a GPU."""
    return q.device.type == "cpu" or q.dtype != torch.float64


def attend_causal(given: Inputs) -> Tensor:
    """The output under the square causal mask, which is the kernel's own."""
    return _kernel(given, *_ready(given), is_causal=True)


def attend(given: Inputs, blocks: list[Reach], keys_reached: int | None) -> Tensor:
    """The output, a block of queries at a time, each with the keys that it reaches.

    Where `keys_reached` is given it is right for the rows that reach no further. The keys behind
    it, and those that nobody reads, may be so large that their masked scores would not be -inf.
    """
    q, k, v = _ready(given)
    if given.allowed is None:
        return _kernel(given, q, k, v)
    if keys_reached is not None:
        behind = torch.arange(k.shape[-2], device=k.device) >= keys_reached
        unread = (closed_keys(given.allowed) | behind)[..., None]
        k, v = k.masked_fill(unread, 0.0), v.masked_fill(unread, 0.0)
    allowed = given.allowed.expand(*given.allowed.shape[:-2], q.shape[-2], k.shape[-2])
    output = given.q.new_empty((*q.shape[:-1], given.v.shape[-1]))
    for rows, keys, open_to in blocks:
        if keys.start < keys.stop:
            mask = allowed[..., rows, keys] if open_to < keys.stop else None
            output[..., rows, :] = _kernel(
                given, q[..., rows, :], k[..., keys, :], v[..., keys, :], attn_mask=mask
            )
    return output if given.empty is None else output.masked_fill_(given.empty, 0.0)


def _kernel(given: Inputs, q: Tensor, k: Tensor, v: Tensor, **mask: Tensor | bool | None) -> Tensor:
    factor = given.scale / given.temperature
    if not 1e-30 < factor < 1e30:  # it multiplies what is already -inf: that needs a plain factor
        q, factor = times(q, factor), 1.0
    mixed = scaled_dot_product_attention(q, k, v, scale=factor, **mask)  # type: ignore[arg-type]
    return as_given(mixed[..., : given.v.shape[-1]], given.q.dtype)


def _ready(given: Inputs) -> tuple[Tensor, Tensor, Tensor]:
    """As the kernel wants them, else it falls back to a matrix of all scores: one width."""
    q, k, v = (in_float32_at_least(x) for x in given[:3])
    width = max(q.shape[-1], v.shape[-1])
    return _widened(q, width), _widened(k, width), _widened(v, width)


def _widened(x: Tensor, width: int) -> Tensor:
    if x.shape[-1] < width:
        return pad(x, (0, width - x.shape[-1]))
    if x.stride(-1) == 1:
        return x
    return x.clone(memory_format=torch.contiguous_format)  # contiguous() takes any single column


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

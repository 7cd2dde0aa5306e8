"""The output alone, by torch's fused kernel: no score is ever kept.

The kernel orders its arithmetic differently. That is the same to 1e-5 as long as scores are
small; rows whose scores may be large are left to the blocks, which compute as the written-out
form does.
"""

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

from attn_lab.core.inputs import Inputs
from attn_lab.core.precision import as_given, in_float32_at_least
from attn_lab.core.reach import Reach

LARGE_SCORE = 32.0
ROWS = 256  # queries in a block, where the mask is not the kernel's own


def may_serve(q: Tensor) -> bool:
    """Whether torch has a kernel without a matrix of scores: not for float64 on a GPU."""
    return q.device.type == "cpu" or q.dtype != torch.float64


def lengths(x: Tensor) -> Tensor:
    """The length of each row: no dot product of two rows exceeds the product of theirs."""
    return torch.linalg.vector_norm(in_float32_at_least(x), dim=-1)


def count_small_rows(
    q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None, factor: float
) -> Tensor:
    """How many rows, from the first on, are small enough for the kernel for sure: int [3].

    First as under the square causal mask, then under `allowed`, and then how many keys the
    latter rows reach. Both look at a row, the rows before it and the keys up to the last that
    these may read, so that nothing which lies further on decides how a row is computed.
    q, k and v are the lengths of their rows.
    """
    T_q, T_k = q.shape[-1], k.shape[-1]
    if allowed is not None:  # a key that no query may read does not count
        closed = _closed(allowed)
        k, v = k.masked_fill(closed, 0.0), v.masked_fill(closed, 0.0)
    q, k, v = (x.cummax(-1).values for x in (q * abs(factor), k, v))
    sums = torch.finfo(q.dtype).max / (4 * T_k)  # the kernel divides sums at the end
    causal = torch.zeros((), dtype=torch.int64, device=q.device)
    if T_q == T_k:
        causal = _from_the_first((q * k <= LARGE_SCORE) & (v <= sums))
    if allowed is None:
        small = (q * k[..., -1:] <= LARGE_SCORE) & (v[..., -1:] <= sums)
        return torch.stack((causal, _from_the_first(small), torch.full_like(causal, T_k)))
    after = _after_last_key(allowed, T_k).cummax(-1).values.expand(T_q)
    last = (after - 1).clamp(min=0)
    small = (q * k[..., last] <= LARGE_SCORE) & (v[..., last] <= sums) | (after == 0)
    count = _from_the_first(small)
    return torch.stack((causal, count, after[(count - 1).clamp(min=0)]))


def _from_the_first(small: Tensor) -> Tensor:
    """How many rows of every sequence and head are small; sizes only grow along the rows."""
    return small.sum(-1).amin()


def _closed(allowed: Tensor) -> Tensor:
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


def attend_causal(given: Inputs) -> Tensor:
    """The output under the square causal mask, which is the kernel's own."""
    return _kernel(given, *_ready(given), is_causal=True)


def attend(given: Inputs, blocks: list[Reach], keys_reached: int) -> Tensor:
    """The output, a block of queries at a time, each with the keys that it reaches.

    Right for the rows that reach no further than `keys_reached`. The keys behind it, and those
    that nobody reads, may be so large that their masked scores would not stay -inf.
    """
    q, k, v = _ready(given)
    if given.allowed is None:
        return _kernel(given, q, k, v)
    behind = torch.arange(k.shape[-2], device=k.device) >= keys_reached
    unread = (_closed(given.allowed) | behind)[..., None]
    k, v = k.masked_fill(unread, 0.0), v.masked_fill(unread, 0.0)
    allowed = given.allowed.expand(*given.allowed.shape[:-2], q.shape[-2], k.shape[-2])
    output = given.q.new_zeros((*q.shape[:-1], given.v.shape[-1]))
    for rows, keys, open_to in blocks:
        if keys.start < keys.stop:
            mask = allowed[..., rows, keys] if open_to < keys.stop else None
            output[..., rows, :] = _kernel(
                given, q[..., rows, :], k[..., keys, :], v[..., keys, :], attn_mask=mask
            )
    return output if given.empty is None else output.masked_fill_(given.empty, 0.0)


def _kernel(given: Inputs, q: Tensor, k: Tensor, v: Tensor, **mask: Tensor | bool | None) -> Tensor:
    factor = given.scale / given.temperature
    if factor < 1e-30:  # the kernel multiplies what is already -inf, which needs a plain factor
        q, factor = q * factor, 1.0
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
    return x if x.stride(-1) == 1 else x.contiguous()

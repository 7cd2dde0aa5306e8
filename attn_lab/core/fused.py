"""The output alone, by torch's fused kernel: no score is ever kept.

The kernel orders its arithmetic differently. That is the same to 1e-5 as long as scores are
small; rows whose scores may be large are left to the blocks, which compute as the written-out
form does.
"""

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

from attn_lab.core.inputs import Inputs
from attn_lab.core.precision import as_given, in_float32_at_least, times
from attn_lab.core.reach import Reach
from attn_lab.core.small_rows import closed_keys

ROWS = 768  # queries in a block under another mask: from here on the kernel takes large bites


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

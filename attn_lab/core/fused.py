"""The output alone, by torch's fused kernel: no score is ever kept.

The kernel orders its arithmetic differently. That is the same to 1e-5 as long as scores are
small; rows whose scores may be large are left to the blocks, which compute as the written-out
form does.
"""

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

from attn_lab.core.inputs import Inputs
from attn_lab.core.precision import in_float32_at_least
from attn_lab.core.reach import Reach

LARGE_SCORE = 64.0


def count_small_rows(q: Tensor, k: Tensor, allowed: Tensor | None, factor: float) -> Tensor:
    """How many rows, from the first on, have small scores for sure: int [2].

    First as under the causal mask, where a row's answer depends on no later position; then for
    any other mask, where it is all rows or none.
    """
    q_size = torch.linalg.vector_norm(in_float32_at_least(q.detach()), dim=-1) * abs(factor)
    k_size = torch.linalg.vector_norm(in_float32_at_least(k.detach()), dim=-1)
    if q_size.shape[-1] == k_size.shape[-1]:
        bound = q_size.cummax(-1).values * k_size.cummax(-1).values
        causal = (bound <= LARGE_SCORE).sum(-1).amin()
    else:
        causal = torch.zeros((), dtype=torch.int64, device=q.device)
    if allowed is not None:  # a key that no query may read does not count
        k_size = k_size * allowed.view(torch.uint8).amax(-2)
    anything = q_size.amax() * k_size.amax() <= LARGE_SCORE
    return torch.stack((causal, anything * q_size.shape[-1]))


def may_serve(q: Tensor) -> bool:
    """Whether torch has a kernel without a matrix of scores: not for float64 on a GPU."""
    return q.device.type == "cpu" or q.dtype != torch.float64


def attend_causal(given: Inputs, output: Tensor) -> None:
    """Fill `output`; the square causal mask is the kernel's own."""
    q, k, v = _ready(given)
    mixed = scaled_dot_product_attention(q, k, v, is_causal=True, scale=1.0)
    output.copy_(mixed[..., : output.shape[-1]])


def attend(given: Inputs, blocks: list[Reach], output: Tensor) -> None:
    """Fill `output`, a block of queries at a time, each with the keys that it reaches."""
    q, k, v = _ready(given)
    allowed = given.allowed
    for rows, keys, open_to in blocks:
        if keys.start == keys.stop:
            continue
        mask = None
        if allowed is not None and open_to < keys.stop:
            mask = allowed.expand(*allowed.shape[:-2], q.shape[-2], k.shape[-2])[..., rows, keys]
        mixed = scaled_dot_product_attention(
            q[..., rows, :], k[..., keys, :], v[..., keys, :], attn_mask=mask, scale=1.0
        )
        output[..., rows, :] = mixed[..., : output.shape[-1]]
    if given.empty is not None:
        output.masked_fill_(given.empty, 0.0)


def _ready(given: Inputs) -> tuple[Tensor, Tensor, Tensor]:
    """As the kernel wants them, else it falls back to a matrix of all scores: one width."""
    q, k, v = (in_float32_at_least(x) for x in given[:3])
    q = q * (given.scale / given.temperature)
    width = max(q.shape[-1], v.shape[-1])
    return _widened(q, width), _widened(k, width), _widened(v, width)


def _widened(x: Tensor, width: int) -> Tensor:
    if x.shape[-1] < width:
        return pad(x, (0, width - x.shape[-1]))
    return x if x.stride(-1) == 1 else x.contiguous()

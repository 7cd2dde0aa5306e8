"""What attention is measured against: the same inputs, the same mask, nothing checked."""

import math
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

import attn_lab


class Inputs(NamedTuple):
    """One size: queries, keys and values [1, n_heads, T, d], and causal masks [T, T]."""

    q: Tensor
    k: Tensor
    v: Tensor
    allowed: Tensor
    bias: Tensor  # the same, to be added
    nearly: Tensor  # all but one cell of it, so that it is not the kernel's own


def inputs(T: int, n_heads: int, d: int, device: torch.device) -> Inputs:
    g = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(1, n_heads, T, d, generator=g).to(device) for _ in range(3))
    allowed = attn_lab.causal_mask(T, device=device)
    bias = torch.zeros(T, T, device=device).masked_fill(~allowed, -math.inf)
    nearly = allowed.clone()
    nearly[-1, 0] = T == 1
    return Inputs(q, k, v, allowed, bias, nearly)


def five_lines(x: Inputs) -> tuple[Tensor, Tensor]:
    """The article's five lines."""
    q, k, v = x.q, x.k, x.v
    T = q.shape[-2]
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    scores = scores.masked_fill(future, float("-inf"))
    weights = scores.softmax(dim=-1)
    return weights @ v, weights


def module_arithmetic(x: Inputs) -> tuple[Tensor, Tensor]:
    """What nn.MultiheadAttention computes with weights, between its projections."""
    q, k, v = (each[0] for each in x[:3])
    scaled = q * math.sqrt(1.0 / q.shape[-1])
    weights = torch.baddbmm(x.bias, scaled, k.transpose(-2, -1)).softmax(dim=-1)
    return torch.bmm(weights, v), weights


def fused_kernel(x: Inputs) -> Tensor:
    """torch's fused kernel by its causal path; it gives no weights."""
    return scaled_dot_product_attention(x.q, x.k, x.v, is_causal=True)


def fused_kernel_masked(x: Inputs) -> Tensor:
    """torch's fused kernel with a mask that is nearly the causal one."""
    return scaled_dot_product_attention(x.q, x.k, x.v, attn_mask=x.nearly)


def ours(x: Inputs) -> tuple[Tensor, Tensor | None]:
    return attn_lab.attention(x.q, x.k, x.v, allowed=x.allowed)


def ours_alone(x: Inputs) -> Tensor:
    return attn_lab.attention(x.q, x.k, x.v, allowed=x.allowed, need_weights=False).output


def ours_masked(x: Inputs) -> Tensor:
    return attn_lab.attention(x.q, x.k, x.v, allowed=x.nearly, need_weights=False).output

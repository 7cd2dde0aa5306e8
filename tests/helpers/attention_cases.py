"""Masks of every kind, and the written-out form that the faster ways are held against."""

import torch

from attn_lab import causal_mask
from attn_lab.core import attention as page
from attn_lab.core.checks.fit import check_inputs

KINDS = ["none", "causal", "lower right", "window", "any", "one row", "padding", "per head"]


def written_out(q, k, v, allowed=None, scale=None, temperature=1.0, fully_masked="zero"):
    checked = check_inputs(q, k, v, allowed, scale, temperature, fully_masked)
    return page.written_out(checked, fully_masked, True)


def masks_for(kind, leading, T_q, T_k, seed):
    g = torch.Generator().manual_seed(seed)
    heads = tuple(n if torch.rand(1, generator=g) < 0.5 else 1 for n in leading)
    upper = causal_mask(T_q, T_k, align="upper_left")
    return {
        "none": None,
        "causal": upper,
        "lower right": causal_mask(T_q, T_k, align="lower_right"),
        "window": upper & ~upper.tril(-3),
        "any": torch.rand(T_q, T_k, generator=g) < 0.4,
        "one row": torch.arange(T_q)[:, None].eq(T_q // 2).expand(T_q, T_k),
        "padding": (torch.arange(T_k) < T_k // 2).expand(*heads, 1, T_k),
        "per head": torch.rand(*heads, T_q, T_k, generator=g) < 0.5,
    }[kind]

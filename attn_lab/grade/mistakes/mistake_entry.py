"""What an entry of the bank of wrong implementations is, and the groups there are.

group        run(...) gives                                         what it stands in for
"attention"  (q, k, v, allowed=None, temperature=1.0)
             -> AttentionResult(output, weights)                    attention
"mask"       (T_q, T_k) -> bool [T_q, T_k]                          causal_mask, upper left
"padding"    (lengths, T_k) -> bool [B, 1, T_k]                     padding_mask
"split"      (x [T, d_model], n_heads) -> [n_heads, T, d_head]      split_heads
"merge"      (x [n_heads, T, d_head]) -> [T, d_model]               merge_heads
"share"      (k [n_kv, T, d], n_heads) -> [n_heads, T, d]           repeat_interleave: each key
                                                                    head for neighbouring queries
"heads"      (x, w_q, w_k, w_v, w_o, n_heads, allowed=None)
             -> AttentionResult(output, weights [n_heads, T, T])    multi-head attention
"tiles"      (scores [T_k], v [T_k, d_v], tile_size)
             -> Running(maximum, factor, total, output)             one row, tile by tile

Nothing here checks its arguments: learners' code does not either.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from attn_lab.core.attention import AttentionResult, masked_softmax


@dataclass(frozen=True)
class Mistake:
    """One wrong implementation: its name, the misconception it stands for, and the code."""

    name: str
    misconception: str
    run: Callable[..., Any]
    group: str
    says: str  # what it does, in one sentence


def scores_of(q: Tensor, k: Tensor, v: Tensor | None = None) -> Tensor:
    """The right scores, unchecked."""
    return q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5


def weights_of(scores: Tensor, allowed: Tensor | None, temperature: float = 1.0) -> Tensor:
    """The right weights; a row with nothing to read gets 0."""
    return masked_softmax(scores, allowed, temperature=temperature, fully_masked="zero")


def output_of(weights: Tensor, v: Tensor) -> Tensor:
    """The right output."""
    return weights @ v


def wrong_attention(
    name: str,
    misconception: str,
    says: str,
    *,
    score: Callable[[Tensor, Tensor, Tensor], Tensor] = scores_of,
    weigh: Callable[[Tensor, Tensor | None, float], Tensor] = weights_of,
    mix: Callable[[Tensor, Tensor], Tensor] = output_of,
) -> Mistake:
    """Attention that is wrong in the step given: its scores, its weights or its output."""

    def run(
        q: Tensor,
        k: Tensor,
        v: Tensor,
        allowed: Tensor | None = None,
        temperature: float = 1.0,
    ) -> AttentionResult:
        weights = weigh(score(q, k, v), allowed, temperature)
        return AttentionResult(mix(weights, v), weights)

    return Mistake(name, misconception, run, "attention", says)

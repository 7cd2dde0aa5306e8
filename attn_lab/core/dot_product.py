"""Scaled dot-product attention: where to read, and what is retrieved."""

from typing import NamedTuple

import torch
from torch import Tensor

from attn_lab.core.allowed import check_allowed, find_empty_rows, refuse_empty_rows
from attn_lab.core.checks import (
    check_choice,
    check_floats,
    check_leading,
    check_number,
    check_same_kind,
    check_tensor,
    shape_of,
)
from attn_lab.core.precision import in_float32_at_least, without_autocast
from attn_lab.core.scores import check_queries_and_keys, multiply
from attn_lab.core.softmax import weigh
from attn_lab.core.values import largest, read, refuse_non_finite, refuse_overflow


class AttentionResult(NamedTuple):
    """What attention gives: the output, and the weights it was mixed with."""

    output: Tensor
    weights: Tensor | None


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    allowed: Tensor | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    fully_masked: str = "raise",
    need_weights: bool = True,
) -> AttentionResult:
    """The values mixed by how well each query matches each key, and the weights of the mix.

    Shapes: q [..., T_q, d_k], k [..., T_k, d_k], v [..., T_k, d_v], allowed [T_q, T_k] or the
    scores' rank -> output [..., T_q, d_v], weights [..., T_q, T_k] (None unless needed).
    Raises: TypeError for wrong dtypes; ValueError for shapes or devices that do not fit, numbers
    that are not finite (behind a mask too), scores that overflow, and fully masked rows unless
    `fully_masked="zero"`, which gives them weights 0, output 0 and gradient 0.
    Source: Vaswani et al. 2017, section 3.2.1.

    >>> q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> output, weights = attention(q, k, torch.tensor([[10.0, 0.0], [0.0, 20.0]]))
    >>> weights
    tensor([[0.6698, 0.3302]])
    >>> output
    tensor([[6.6976, 6.6048]])
    """
    scale = check_queries_and_keys(q, k, scale)
    _check_values(q, k, v)
    temperature = check_number("temperature", temperature, positive=True)
    check_choice("fully_masked", fully_masked, ("raise", "zero"))

    scores = multiply(q, k, scale)  # [..., T_q, T_k]
    empty = None
    readings = [largest(q), largest(k), largest(v), largest(scores)]
    if allowed is not None:
        allowed = check_allowed(allowed, scores.shape, scores.device)
        empty = find_empty_rows(allowed)
        readings.append(empty.any())
    q_max, k_max, v_max, score_max, *any_empty = read(*readings)
    refuse_non_finite(q=(q, q_max), k=(k, k_max), v=(v, v_max))
    refuse_overflow(scores, score_max, "the scaled scores", "q and k")
    if empty is not None and not any_empty[0]:
        empty = None
    if empty is not None and fully_masked == "raise":
        refuse_empty_rows(empty)

    weights = weigh(scores, allowed, empty, temperature)
    output = mix(weights, in_float32_at_least(v), v_max)  # [..., T_q, d_v]
    return AttentionResult(output.to(q.dtype), weights.to(q.dtype) if need_weights else None)


def mix(weights: Tensor, v: Tensor, v_max: float) -> Tensor:
    """The weighted mean of the values; `v_max` is the largest of them in size."""
    with without_autocast(v):
        if v_max < torch.finfo(v.dtype).max / 2:
            return weights @ v
        # Weights that round to a sum just above 1 would carry the largest float over the edge.
        # Halves cannot overflow, and a mean never leaves the range of what it is made of.
        return (weights @ (v / 2)).clamp(-v_max / 2, v_max / 2) * 2


def _check_values(q: Tensor, k: Tensor, v: Tensor) -> None:
    check_tensor("v", v, "[..., T_k, d_v]")
    check_floats("v", v)
    check_same_kind(q=q, v=v)
    check_leading(q=q, v=v)
    check_leading(k=k, v=v)
    if v.shape[-2] != k.shape[-2]:
        raise ValueError(
            f"v needs one row per key: [..., {k.shape[-2]}, d_v] to go with k {shape_of(k)}; "
            f"got {shape_of(v)}. Keys and values come from the same positions."
        )

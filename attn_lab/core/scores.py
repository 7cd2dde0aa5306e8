"""Scores: how well each query matches each key."""

from torch import Tensor

from attn_lab.core.checks import (
    check_floats,
    check_leading,
    check_number,
    check_same_kind,
    check_tensor,
    shape_of,
)
from attn_lab.core.precision import in_float32_at_least, without_autocast
from attn_lab.core.values import largest, read, refuse_non_finite, refuse_overflow


def scaled_scores(q: Tensor, k: Tensor, *, scale: float | None = None) -> Tensor:
    """The dot product of every query with every key, times `scale` (1/√d_k unless given).

    Half inputs give float32 scores, so that the pieces composed give the numbers of `attention`.

    Shapes: q [..., T_q, d_k], k [..., T_k, d_k] -> [..., T_q, T_k].
    Raises: TypeError for a wrong dtype; ValueError for shapes that do not fit, for numbers that
    are not finite, and where the scores overflow.
    Source: Vaswani et al. 2017, section 3.2.1 and footnote 4.

    >>> import torch
    >>> q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> scaled_scores(q, k)
    tensor([[0.7071, 0.0000]])
    """
    scale = check_queries_and_keys(q, k, scale)
    scores = multiply(q, k, scale)
    q_max, k_max, score_max = read(largest(q), largest(k), largest(scores))
    refuse_non_finite(q=(q, q_max), k=(k, k_max))
    refuse_overflow(scores, score_max, "the scaled scores", "q and k")
    return scores


def check_queries_and_keys(q: Tensor, k: Tensor, scale: float | None) -> float:
    """The scale to use, once q and k are known to fit."""
    check_tensor("q", q, "[..., T_q, d_k]")
    check_tensor("k", k, "[..., T_k, d_k]")
    check_floats("q", q)
    check_floats("k", k)
    check_same_kind(q=q, k=k)
    check_leading(q=q, k=k)
    d_k = q.shape[-1]
    if k.shape[-1] != d_k:
        raise ValueError(
            f"k needs the width of q: [..., T_k, {d_k}] to go with q {shape_of(q)}; "
            f"got {shape_of(k)}. Check W_K: queries and keys share d_k."
        )
    return d_k**-0.5 if scale is None else check_number("scale", scale)


def multiply(q: Tensor, k: Tensor, scale: float) -> Tensor:
    """The scores themselves, in float32 at least."""
    q, k = in_float32_at_least(q), in_float32_at_least(k)
    # q is scaled first: the unscaled products may leave the range that the scores fit in.
    with without_autocast(q):
        return (q * scale) @ k.transpose(-2, -1)  # [..., T_q, T_k]

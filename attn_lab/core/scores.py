"""Scores: how well each query matches each key."""

import torch
from torch import Tensor

from attn_lab.core.checks import (
    check_floats,
    check_leading,
    check_number,
    check_same_kind,
    check_tensor,
    shape_of,
)
from attn_lab.core.precision import in_float32_at_least, times, without_autocast
from attn_lab.core.values import extremes, largest, read, refuse_non_finite, refuse_overflow

AXES = ("[..., T_q, d_k]", "[..., T_k, d_k]", "[..., T_k, d_v]")


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
    check_queries_and_keys(q, k)
    scale = scale_for(q, scale)
    with without_autocast(q):
        scores = multiply(q, k, scale)
    found = read(*extremes(q), *extremes(k), *extremes(scores))
    refuse_non_finite(q=(q, largest(*found[:2])), k=(k, largest(*found[2:4])))
    refuse_overflow(scores, largest(*found[4:]), "the scaled scores", "q and k")
    return scores


def check_queries_and_keys(q: Tensor, k: Tensor, **values: Tensor) -> None:
    """Refuse q and k, and values where given, that do not fit each other."""
    given = {"q": q, "k": k} | values
    for (name, x), axes in zip(given.items(), AXES, strict=False):
        check_tensor(name, x, axes)
        check_floats(name, x)
    check_same_kind(given)
    check_leading(given)
    if k.shape[-1] != q.shape[-1]:
        raise ValueError(
            f"k needs the width of q: [..., T_k, {q.shape[-1]}] to go with q {shape_of(q)}; "
            f"got {shape_of(k)}. Check W_K: queries and keys share d_k."
        )


def scale_for(q: Tensor, scale: float | None) -> float:
    """The scale asked for, 1/√d_k where none is."""
    return q.shape[-1] ** -0.5 if scale is None else check_number("scale", scale)


def scores_shape(q: Tensor, k: Tensor) -> list[int]:
    """[..., T_q, T_k], before any score is made."""
    leading = q.shape[:-2]
    if leading != k.shape[:-2]:
        leading = torch.broadcast_shapes(leading, k.shape[:-2])
    return [*leading, q.shape[-2], k.shape[-2]]


def refuse_overflow_in_blocks(q: Tensor, k: Tensor, scale: float) -> None:
    """Refuse scores that overflow, without holding more than a block of them."""
    sizes = [x for part in q.split(64, dim=-2) for x in extremes(multiply(part, k, scale))]
    found = read(*sizes)
    for size in map(largest, found[::2], found[1::2]):
        refuse_overflow(in_float32_at_least(q), size, "the scaled scores", "q and k")


def multiply(q: Tensor, k: Tensor, scale: float) -> Tensor:
    """The scores themselves, in float32 at least."""
    # q is scaled first: the unscaled products may leave the range that the scores fit in.
    scaled = times(in_float32_at_least(q), scale)
    return scaled @ in_float32_at_least(k).transpose(-2, -1)  # [..., T_q, T_k]

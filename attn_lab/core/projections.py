"""Projections: the input seen through one parameter matrix."""

from torch import Tensor

from attn_lab.core.checks import check_floats, check_same_kind, check_tensor, shape_of
from attn_lab.core.precision import in_float32_at_least, without_autocast
from attn_lab.core.values import extremes, largest, read, refuse_non_finite, refuse_overflow


def project(x: Tensor, w: Tensor) -> Tensor:
    """The queries, keys or values that one matrix makes of the input.

    Shapes: x [..., T, d_model], w [d_model, d_k] -> [..., T, d_k].
    Raises: TypeError for a wrong dtype; ValueError for shapes that do not fit, for numbers that
    are not finite, and where the product overflows.
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> import torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> project(x, torch.tensor([[0.0], [10.0]])).tolist()
    [[20.0], [40.0], [60.0]]
    """
    check_tensor("x", x, "[..., T, d_model]")
    check_tensor("w", w, "[d_model, d_k]")
    check_floats("x", x)
    check_same_kind({"x": x, "w": w})
    if w.dim() != 2 or w.shape[0] != x.shape[-1]:
        raise ValueError(
            f"w needs shape [d_model, d_k] = [{x.shape[-1]}, d_k] to project x {shape_of(x)}; "
            f"got {shape_of(w)}. Rows of w meet the columns of x: check whether w is transposed."
        )
    with without_autocast(x):
        projected = (in_float32_at_least(x) @ in_float32_at_least(w)).to(x.dtype)
    found = read(*extremes(x), *extremes(w), *extremes(projected))
    refuse_non_finite(x=(x, largest(*found[:2])), w=(w, largest(*found[2:4])))
    refuse_overflow(projected, largest(*found[4:]), "the projections", "x and w")
    return projected

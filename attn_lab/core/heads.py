"""From positions to heads and back: projections, split and merge."""

from torch import Tensor

from attn_lab.core.checks.arguments import (
    check_count,
    check_floats,
    check_same_kind,
    check_tensor,
    shape_of,
)
from attn_lab.core.checks.arithmetic import (
    in_float32_at_least,
    in_one_dtype,
    without_autocast,
)
from attn_lab.core.checks.values import refuse_non_finite, refuse_overflow, sizes_of


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
    x, w = in_one_dtype(x, w)
    with without_autocast(x):
        projected = (in_float32_at_least(x) @ in_float32_at_least(w)).to(x.dtype)
    x_max, w_max, projected_max = sizes_of(x, w, projected)
    refuse_non_finite(x=(x, x_max), w=(w, w_max))
    refuse_overflow(projected, projected_max, "the projections", "x and w")
    return projected


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    """The columns dealt out to heads in neighbouring groups, each head with every position.

    Shapes: x [..., T, d_model] -> [..., n_heads, T, d_head], d_head = d_model / n_heads.
    Raises: ValueError when n_heads does not divide d_model.
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> import torch
    >>> split_heads(torch.arange(8).reshape(2, 4), n_heads=2).tolist()
    [[[0, 1], [4, 5]], [[2, 3], [6, 7]]]
    """
    check_tensor("x", x, "[..., T, d_model]")
    n_heads = check_count("n_heads", n_heads)
    d_model = x.shape[-1]
    if d_model % n_heads:
        raise ValueError(
            f"n_heads must divide d_model {d_model}; got {n_heads}. "
            f"Every head gets d_model / n_heads columns: choose one of {_divisors(d_model)}."
        )
    apart = x.unflatten(-1, (n_heads, d_model // n_heads))  # [..., T, n_heads, d_head]
    return apart.transpose(-3, -2)  # [..., n_heads, T, d_head]


def merge_heads(x: Tensor) -> Tensor:
    """The heads' columns side by side again: the inverse of `split_heads`.

    Shapes: x [..., n_heads, T, d_head] -> [..., T, n_heads * d_head].
    Raises: ValueError for fewer than three axes.
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> import torch
    >>> merge_heads(torch.arange(8).reshape(2, 2, 2)).tolist()
    [[0, 1, 4, 5], [2, 3, 6, 7]]
    """
    if isinstance(x, Tensor) and x.dim() == 2:
        raise ValueError(
            f"x needs shape [..., n_heads, T, d_head]; got {shape_of(x)}. "
            "Merge what split_heads gave; for a single head write x[None]."
        )
    check_tensor("x", x, "[..., n_heads, T, d_head]", n_dims=3)
    # Positions come before heads again, else a reshape would mix positions in silence.
    return x.transpose(-3, -2).flatten(-2)  # [..., T, n_heads * d_head]


def _divisors(n: int) -> list[int]:
    return [d for d in range(1, n + 1) if n % d == 0]

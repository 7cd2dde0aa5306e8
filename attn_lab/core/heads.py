"""Heads: the same positions, read in several narrower spaces at once."""

from torch import Tensor

from attn_lab.core.checks import check_count, check_tensor, shape_of


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

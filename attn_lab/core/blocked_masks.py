"""Boolean masks where True means blocked, into `allowed` (True = may be read) and back."""

from torch import Tensor

from attn_lab.core.checks import check_boolean, check_count, shape_of


def from_blocked(
    attn_mask: Tensor | None = None, *, key_padding_mask: Tensor | None = None
) -> Tensor:
    """`allowed` from the Boolean masks of `nn.MultiheadAttention`, where True means blocked.

    Shapes: attn_mask [..., T_q, T_k] -> the same; key_padding_mask [B, T_k] -> [B, 1, T_k],
    which no query count can be mistaken for. Both together -> [B, T_q, T_k], or
    [B, n_heads, T_q, T_k] where attn_mask is [B * n_heads, T_q, T_k] or has four axes.
    Raises: TypeError for masks that are not Boolean; ValueError for shapes that do not fit.
    Source: PyTorch's documentation of MultiheadAttention.

    >>> import torch
    >>> from_blocked(torch.ones(3, 3, dtype=torch.bool).triu(1)).int().tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    >>> from_blocked(key_padding_mask=torch.tensor([[False, False, True]])).tolist()
    [[[True, True, False]]]
    """
    if attn_mask is None and key_padding_mask is None:
        raise ValueError("attn_mask or key_padding_mask must be given; got neither.")
    if attn_mask is not None:
        check_boolean("attn_mask", attn_mask, "[..., T_q, T_k]")
    if key_padding_mask is None:
        return ~attn_mask  # type: ignore[operator]
    check_boolean("key_padding_mask", key_padding_mask, "[B, T_k]")
    real = one_row_each("key_padding_mask", ~key_padding_mask)
    return real if attn_mask is None else _joined(~attn_mask, real)


def _joined(open_: Tensor, real: Tensor) -> Tensor:
    """Both masks of one module, the sequences of the second laid along those of the first."""
    B, _, T_k = real.shape
    if open_.dim() == 3 and open_.shape[0] != B and open_.shape[0] % B == 0:
        open_ = open_.unflatten(0, (B, -1))  # torch's own order: the heads of each sequence
    fits = open_.dim() == 2 or (open_.dim() in (3, 4) and open_.shape[0] == B)
    if not fits or open_.shape[-1] != T_k:
        raise ValueError(
            f"attn_mask needs shape [T_q, {T_k}], [{B} * n_heads, T_q, {T_k}] or [{B}, n_heads, "
            f"T_q, {T_k}] to go with key_padding_mask [{B}, {T_k}]; got {shape_of(open_)}. "
            "Check which axis holds the sequences."
        )
    return open_ & (real[:, None] if open_.dim() == 4 else real)


def to_blocked(allowed: Tensor, n_heads: int | None = None) -> Tensor:
    """The `attn_mask` of `nn.MultiheadAttention`, where True means blocked.

    That module takes [T_q, T_k], or one mask per sequence and head in a single axis: give
    `n_heads` to get it from a mask per sequence, or per sequence and head.

    Shapes: allowed [T_q, T_k] -> the same; with n_heads [B, T_q, T_k] or
    [B, 1 or n_heads, T_q, T_k] -> [B * n_heads, T_q, T_k].
    Raises: TypeError for a mask that is not Boolean; ValueError for shapes that do not fit.

    >>> import torch
    >>> to_blocked(torch.tensor([[True, False], [True, True]])).tolist()
    [[False, True], [False, False]]
    """
    check_boolean("allowed", allowed, "[..., T_q, T_k]")
    if n_heads is None:
        return ~allowed
    n_heads = check_count("n_heads", n_heads)
    per_head = allowed[:, None] if allowed.dim() == 3 else allowed
    if per_head.dim() != 4 or per_head.shape[1] not in (1, n_heads):
        raise ValueError(
            f"allowed needs shape [B, T_q, T_k] or [B, {n_heads}, T_q, T_k] to go to {n_heads} "
            f"heads; got {shape_of(allowed)}. Leave n_heads out for a mask [T_q, T_k]."
        )
    return ~per_head.expand(-1, n_heads, -1, -1).flatten(0, 1)


def one_row_each(name: str, real: Tensor) -> Tensor:
    if real.dim() != 2:
        raise ValueError(
            f"{name} needs shape [B, T_k]; got {shape_of(real)}. "
            f"For one sequence write {name}[None]."
        )
    return real[:, None]  # [B, 1, T_k]

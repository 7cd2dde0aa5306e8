"""Other libraries' masks into `allowed` (True = may be read), and back."""

import math

import torch
from torch import Tensor

from attn_lab.core.checks.arguments import (
    FLOATS,
    check_boolean,
    check_count,
    check_tensor,
    check_values,
    dtype_of,
    shape_of,
)

BLOCKS_FROM = -9_000.0  # -10,000 (-9,984 in bfloat16), -1e9 and a dtype's minimum mean -inf


def from_blocked(
    attn_mask: Tensor | None = None, *, key_padding_mask: Tensor | None = None
) -> Tensor:
    """`allowed` from the Boolean masks of `nn.MultiheadAttention`, where True means blocked.

    Shapes: attn_mask [..., T_q, T_k] -> the same; key_padding_mask [B, T_k] -> [B, 1, T_k],
    which no query count can be mistaken for. Both together -> [B, T_q, T_k], or
    [B, n_heads, T_q, T_k] where attn_mask is [B * n_heads, T_q, T_k] or has four axes.
    Raises: TypeError for masks that are not Boolean; ValueError for shapes that do not fit.
    Source: PyTorch's documentation of MultiheadAttention.

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
    real = _one_row_each("key_padding_mask", ~key_padding_mask)
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


def from_additive(mask: Tensor) -> Tensor:
    """`allowed` from a mask that is added to scores: 0 leaves, -inf blocks.

    Large negative numbers that stand for -inf (-10,000 and below, a dtype's minimum) block too.

    Shapes: any -> the same.
    Raises: TypeError for integers and Booleans; ValueError for any other number, which is a bias
    and no mask.

    >>> from_additive(torch.tensor([[0.0, float("-inf"), -1e9]])).tolist()
    [[True, False, False]]
    """
    check_tensor("mask", mask, "[..., T_q, T_k]", n_dims=1)
    if mask.dtype not in FLOATS:
        raise TypeError(
            f"mask must be a float tensor of 0 and -inf; got {dtype_of(mask)}. For 1 = real and "
            "0 = padding write from_attention_mask(mask); for True = blocked, from_blocked(mask)."
        )
    check_values("mask", mask)
    allowed = mask == 0
    neither = ~(allowed | (mask <= BLOCKS_FROM))
    if neither.any():
        example = mask[neither][0].item()
        hint = (
            "If 1 means real and 0 padding, write from_attention_mask(mask)."
            if example == 1
            else "A bias is no mask: write masked_softmax(scaled_scores(q, k) + bias, allowed)."
        )
        raise ValueError(
            f"mask must hold 0 and -inf only; got {int(neither.sum())} other numbers, the first "
            f"is {example:g}. {hint}"
        )
    return allowed


def to_additive(allowed: Tensor, *, dtype: torch.dtype = torch.float32) -> Tensor:
    """The mask to add to scores: 0 where a key may be read, -inf where not.

    Shapes: any -> the same.
    Raises: TypeError for a mask that is not Boolean, or a dtype that is no float.

    >>> to_additive(torch.tensor([[True, False]])).tolist()
    [[0.0, -inf]]
    """
    check_boolean("allowed", allowed, "[..., T_q, T_k]")
    if dtype not in FLOATS:
        raise TypeError(f"dtype must be a float dtype, which holds -inf; got {dtype}.")
    return torch.zeros(allowed.shape, dtype=dtype, device=allowed.device).masked_fill(
        ~allowed, -math.inf
    )


def from_attention_mask(mask: Tensor) -> Tensor:
    """`allowed` from a 0/1 mask of tokens (1 = real, 0 = padding), as tokenizers give it.

    Shapes: [B, T_k] -> [B, 1, T_k], as `padding_mask`; with more axes -> the same.
    Raises: ValueError for numbers other than 0 and 1, and for a single axis.

    >>> from_attention_mask(torch.tensor([[0, 0, 1, 1]])).tolist()
    [[[False, False, True, True]]]
    """
    check_tensor("mask", mask, "[B, T_k]")
    check_values("mask", mask)
    allowed = mask == 1
    neither = ~(allowed | (mask == 0))
    if neither.any():
        example = mask[neither][0].item()
        raise ValueError(
            f"mask must hold 1 = real and 0 = padding only; got {int(neither.sum())} other "
            f"numbers, the first is {example:g}. For 0 and -inf write from_additive(mask)."
        )
    return _one_row_each("mask", allowed) if mask.dim() == 2 else allowed


def _one_row_each(name: str, real: Tensor) -> Tensor:
    if real.dim() != 2:
        raise ValueError(
            f"{name} needs shape [B, T_k]; got {shape_of(real)}. "
            f"For one sequence write {name}[None]."
        )
    return real[:, None]  # [B, 1, T_k]

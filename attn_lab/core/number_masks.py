"""Masks of numbers, into `allowed` (True = may be read) and back."""

import math

import torch
from torch import Tensor

from attn_lab.core.blocked_masks import one_row_each
from attn_lab.core.checks import FLOATS, check_boolean, check_tensor, check_values, dtype_of

BLOCKS_FROM = -9_000.0  # -10,000 (-9,984 in bfloat16), -1e9 and a dtype's minimum mean -inf


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
    return one_row_each("mask", allowed) if mask.dim() == 2 else allowed

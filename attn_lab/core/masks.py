"""Masks: which keys a query may read. True = may be read; masks combine with &."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lab.core.checks.arguments import (
    check_choice,
    check_count,
    check_values,
    dtype_of,
    shape_of,
)
from attn_lab.core.conversions import (
    from_additive,
    from_attention_mask,
    from_blocked,
    to_additive,
    to_blocked,
)

__all__ = [
    "causal_mask",
    "from_additive",
    "from_attention_mask",
    "from_blocked",
    "padding_mask",
    "to_additive",
    "to_blocked",
]


def causal_mask(
    T_q: int,
    T_k: int | None = None,
    *,
    align: str | None = None,
    device: torch.device | str | None = None,
) -> Tensor:
    """True where a query may read a key: itself and what came before it.

    "upper_left" counts queries and keys from the same start; "lower_right" lets the last query
    be the last key, as when new queries follow keys kept from before.

    Shapes: -> bool [T_q, T_k].
    Raises: ValueError for lengths below 1, and when T_q and T_k differ without `align`.
    Source: Vaswani et al. 2017, section 3.2.3; alignments as in PyTorch's causal biases.

    >>> causal_mask(3).int()
    tensor([[1, 0, 0],
            [1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    >>> causal_mask(1, 3, align="lower_right")
    tensor([[True, True, True]])
    """
    T_q = check_count("T_q", T_q)
    T_k = T_q if T_k is None else check_count("T_k", T_k)
    if align is not None:
        check_choice("align", align, ("upper_left", "lower_right"))
    elif T_q != T_k:
        raise ValueError(
            f"align must be given when T_q and T_k differ; got T_q {T_q} and T_k {T_k}. Write "
            "align='lower_right' if the last query is the last key, align='upper_left' if the "
            "first query is the first key."
        )
    shift = T_k - T_q if align == "lower_right" else 0
    return torch.ones(T_q, T_k, dtype=torch.bool, device=device).tril(shift)


def padding_mask(lengths: Sequence[int] | Tensor, T_k: int) -> Tensor:
    """True on real keys: the first `lengths[b]` of sequence b.

    A length of 0 is allowed and makes fully masked rows. With heads write
    `padding_mask(...)[:, None]`.

    Shapes: lengths [B] -> bool [B, 1, T_k].
    Raises: TypeError for lengths that are not whole numbers; ValueError for a length below 0 or
    above T_k.

    >>> padding_mask([1, 3], 3).int()
    tensor([[[1, 0, 0]],
    <BLANKLINE>
            [[1, 1, 1]]], dtype=torch.int32)
    """
    T_k = check_count("T_k", T_k)
    counts = _whole_numbers(lengths, T_k)
    check_values("lengths", counts)
    low, high = counts.long().aminmax()  # what int64 cannot hold becomes negative
    if low < 0 or high > T_k:
        raise _beyond(T_k, counts.tolist())
    counts = counts.long()
    keys = torch.arange(T_k, device=counts.device)
    return (keys < counts[:, None])[:, None]  # [B, 1, T_k]


def _whole_numbers(lengths: Sequence[int] | Tensor, T_k: int) -> Tensor:
    if isinstance(lengths, int):
        raise TypeError(f"lengths must be one whole number per sequence; write [{lengths}].")
    given = _plain(lengths)
    try:
        counts = torch.as_tensor(given)
    except (TypeError, ValueError, RuntimeError):
        if isinstance(given, list) and given and all(type(n) is int for n in given):
            raise _beyond(T_k, given) from None  # one of them is beyond every integer dtype
        raise TypeError(
            f"lengths must be whole numbers, one per sequence; got {lengths!r}."
        ) from None
    if counts.dim() != 1 or counts.numel() == 0:
        raise ValueError(
            f"lengths must have shape [B], one per sequence; got {shape_of(counts)}. "
            "For one sequence write [length]."
        )
    if counts.is_floating_point() or counts.is_complex() or counts.dtype == torch.bool:
        raise TypeError(
            f"lengths must be whole numbers; got {dtype_of(counts)}. "
            "From a 0/1 mask of real tokens write mask.sum(-1)."
        )
    return counts


def _plain(x: Any) -> Any:
    """Another library's integers as Python's own, whatever their byte order and their layout."""
    if isinstance(x, list | tuple):
        return [_plain(part) for part in x]
    whole = getattr(getattr(x, "dtype", None), "kind", None) in ("i", "u", "O")
    return x.tolist() if whole else x


def _beyond(T_k: int, lengths: list[int]) -> ValueError:
    return ValueError(
        f"lengths must lie between 0 and T_k = {T_k}; got {lengths}. "
        "A length counts the real keys of one sequence."
    )

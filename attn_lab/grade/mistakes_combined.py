"""Wrong ways to join a padding mask and a causal mask, made of the bank's masks where it can."""

from collections.abc import Callable, Sequence

from torch import Tensor

from attn_lab.core.masks import causal_mask, padding_mask
from attn_lab.grade.mistakes import in_group
from attn_lab.grade.mistakes_entry import Mistake

Masks = Callable[[Sequence[int], int], Tensor]


def _real(lengths: Sequence[int], T: int) -> Tensor:
    return padding_mask(lengths, T)


def _rows(lengths: Sequence[int], T: int) -> Tensor:
    return padding_mask(lengths, T).transpose(-2, -1)


def _own(name: str, misconception: str, says: str, run: Masks) -> Mistake:
    return Mistake(name, misconception, run, "combined", says)


def _padded(known: Mistake) -> Mistake:
    return _own(
        known.name,
        known.misconception,
        known.says,
        lambda lengths, T: known.run(lengths, T) & causal_mask(T),
    )


def _past(known: Mistake) -> Mistake:
    return _own(
        known.name,
        known.misconception,
        known.says,
        lambda lengths, T: known.run(T, T) & _real(lengths, T),
    )


SQUARE = tuple(
    known
    for known in in_group("mask")
    if known.name not in ("mask_lower_right", "mask_all_true")  # right on squares; named below
)
COMBINED = (
    *map(_padded, in_group("padding")),
    *map(_past, SQUARE),
    _own(
        "masks_joined_by_or",
        "polarity-inverted",
        "A key may be read where one of the two masks allows it.",
        lambda lengths, T: _real(lengths, T) | causal_mask(T),
    ),
    _own(
        "padding_forgotten",
        "mask-forgotten",
        "The lengths are not used: padding is read like real keys.",
        lambda lengths, T: causal_mask(T).expand(len(lengths), T, T),
    ),
    _own(
        "causal_forgotten",
        "mask-forgotten",
        "Keys of the future may be read.",
        lambda lengths, T: _real(lengths, T).expand(len(lengths), T, T),
    ),
    _own(
        "padding_on_the_queries",
        "padding-masks-queries",
        "The lengths close the rows of padded queries, which the task leaves open.",
        lambda lengths, T: _rows(lengths, T) & causal_mask(T),
    ),
    _own(
        "combined_of_the_blocked",
        "polarity-inverted",
        "True marks what is blocked.",
        lambda lengths, T: ~(_real(lengths, T) & causal_mask(T)),
    ),
    _own(
        "combined_transposed",
        "axes-swapped",
        "Rows and columns of the mask are exchanged.",
        lambda lengths, T: (_real(lengths, T) & causal_mask(T)).transpose(-2, -1),
    ),
)

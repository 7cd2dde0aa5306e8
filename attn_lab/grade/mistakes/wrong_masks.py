"""Masks that are not the one asked for: causal (upper left), padding, and the two joined."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from attn_lab.core.masks import causal_mask, padding_mask
from attn_lab.grade.mistakes.mistake_entry import Mistake

Joined = Callable[[Sequence[int], int], Tensor]


def _ones(T_q: int, T_k: int) -> Tensor:
    return torch.ones(T_q, T_k, dtype=torch.bool)


def _causal(name: str, misconception: str, says: str, run: Callable[[int, int], Tensor]) -> Mistake:
    return Mistake(name, misconception, run, "mask", says)


def _padding(
    name: str, misconception: str, says: str, run: Callable[[Tensor, Tensor], Tensor]
) -> Mistake:
    """`run` compares the lengths [B, 1] with the key indices [T_k]."""

    def make(lengths: Sequence[int], T_k: int) -> Tensor:
        return run(torch.as_tensor(lengths)[:, None], torch.arange(T_k))[:, None]

    return Mistake(name, misconception, make, "padding", says)


CAUSAL = (
    _causal(
        "mask_without_diagonal",
        "not-itself",
        "A position may not read itself.",
        lambda T_q, T_k: _ones(T_q, T_k).tril(-1),
    ),
    _causal(
        "mask_upper_triangle",
        "axes-swapped",
        "A position reads itself and what comes after it.",
        lambda T_q, T_k: _ones(T_q, T_k).triu(),
    ),
    _causal(
        "mask_of_the_blocked",
        "polarity-inverted",
        "True marks what is blocked.",
        lambda T_q, T_k: _ones(T_q, T_k).triu(1),
    ),
    _causal(
        "mask_diagonal_only",
        "no-mixing",
        "A position reads itself alone.",
        lambda T_q, T_k: torch.eye(T_q, T_k, dtype=torch.bool),
    ),
    _causal(
        "mask_all_true",
        "mask-forgotten",
        "Everything may be read.",
        _ones,
    ),
    _causal(
        "mask_one_ahead",
        "future-flows-back",
        "A position may also read the next one, the token that it should predict.",
        lambda T_q, T_k: _ones(T_q, T_k).tril(1),
    ),
    _causal(
        "mask_lower_right",
        "last-query-is-last-key",
        "The last query is the last key, where both should start together.",
        lambda T_q, T_k: _ones(T_q, T_k).tril(T_k - T_q),
    ),
)
PADDING = (
    _padding(
        "padding_inverted",
        "polarity-inverted",
        "True marks the padding.",
        lambda lengths, keys: keys >= lengths,
    ),
    _padding(
        "padding_one_more",
        "counts-from-one",
        "One key too many is real: index and number are mixed up.",
        lambda lengths, keys: keys <= lengths,
    ),
    _padding(
        "padding_at_the_start",
        "padding-at-the-start",
        "The real keys are taken to be the last ones.",
        lambda lengths, keys: keys >= len(keys) - lengths,
    ),
)


def _joined(name: str, misconception: str, says: str, run: Joined) -> Mistake:
    return Mistake(name, misconception, run, "joined", says)


def _padding_joined(entry: Mistake) -> Mistake:
    """A wrong padding mask and the right causal one."""

    def run(lengths: Sequence[int], T: int) -> Tensor:
        return entry.run(lengths, T) & causal_mask(T)

    return replace(entry, run=run, group="joined")


def _causal_joined(entry: Mistake) -> Mistake:
    """A wrong causal mask and the right padding mask."""

    def run(lengths: Sequence[int], T: int) -> Tensor:
        return entry.run(T, T) & padding_mask(lengths, T)

    return replace(entry, run=run, group="joined")


# right on squares, and one that is named below
NOT_JOINED = ("mask_lower_right", "mask_all_true")
JOINED = (
    *map(_padding_joined, PADDING),
    *(_causal_joined(entry) for entry in CAUSAL if entry.name not in NOT_JOINED),
    _joined(
        "masks_joined_by_or",
        "or-for-and",
        "A key may be read where one of the two masks allows it.",
        lambda lengths, T: padding_mask(lengths, T) | causal_mask(T),
    ),
    _joined(
        "padding_forgotten",
        "mask-forgotten",
        "The lengths are not used: padding is read like real keys.",
        lambda lengths, T: causal_mask(T).expand(len(lengths), T, T),
    ),
    _joined(
        "causal_forgotten",
        "mask-forgotten",
        "Keys of the future may be read.",
        lambda lengths, T: padding_mask(lengths, T).expand(len(lengths), T, T),
    ),
    _joined(
        "padding_on_the_queries",
        "padding-masks-queries",
        "The lengths close the rows of padded queries, which the task leaves open.",
        lambda lengths, T: padding_mask(lengths, T).transpose(-2, -1) & causal_mask(T),
    ),
    _joined(
        "combined_of_the_blocked",
        "polarity-inverted",
        "True marks what is blocked.",
        lambda lengths, T: ~(padding_mask(lengths, T) & causal_mask(T)),
    ),
    _joined(
        "combined_transposed",
        "axes-swapped",
        "Rows and columns of the mask are exchanged.",
        lambda lengths, T: (padding_mask(lengths, T) & causal_mask(T)).transpose(-2, -1),
    ),
)

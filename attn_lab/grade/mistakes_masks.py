"""Masks that are not the one asked for: causal (upper left) and padding."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from attn_lab.grade.mistakes_entry import Mistake


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


MASKS = (
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

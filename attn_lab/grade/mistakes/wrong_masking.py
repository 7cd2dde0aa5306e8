"""Wrong ways to keep a query from reading a key."""

import math

import torch
from torch import Tensor

from attn_lab.grade.mistakes.mistake_entry import weights_of, wrong_attention

Allowed = Tensor | None


def is_open(scores: Tensor, allowed: Allowed) -> Tensor:
    """`allowed` for every score, all True where there is no mask."""
    everything = torch.ones_like(scores, dtype=torch.bool)
    return everything if allowed is None else everything & allowed


def fill(scores: Tensor, allowed: Allowed, value: float) -> Tensor:
    """The scores, with one value in all blocked places."""
    return scores.masked_fill(~is_open(scores, allowed), value)


def _strict(scores: Tensor, allowed: Allowed) -> Tensor:
    itself = torch.eye(*scores.shape[-2:], dtype=torch.bool, device=scores.device)
    return is_open(scores, allowed) & ~itself


def _uniform_if_empty(scores: Tensor, allowed: Allowed, temperature: float) -> Tensor:
    empty = ~is_open(scores, allowed).any(-1, keepdim=True)
    return weights_of(scores, allowed, temperature).masked_fill(empty, 1 / scores.shape[-1])


def _added(scores: Tensor, allowed: Allowed, temperature: float) -> Tensor:
    bias = torch.zeros_like(scores).masked_fill(~is_open(scores, allowed), -math.inf)
    return ((scores + bias) / temperature).softmax(-1).nan_to_num(0.0)


MASKING = (
    wrong_attention(
        "mask_forgotten",
        "mask-forgotten",
        "The mask is not used.",
        weigh=lambda scores, allowed, temperature: weights_of(scores, None, temperature),
    ),
    wrong_attention(
        "mask_inverted",
        "polarity-inverted",
        "True is taken for blocked.",
        weigh=lambda scores, allowed, temperature: weights_of(
            scores, None if allowed is None else ~allowed, temperature
        ),
    ),
    wrong_attention(
        "mask_transposed",
        "padding-masks-queries",
        "The mask's rows are taken for keys and its columns for queries.",
        weigh=lambda scores, allowed, temperature: weights_of(
            scores, is_open(scores, allowed).transpose(-2, -1), temperature
        ),
    ),
    wrong_attention(
        "mask_after_softmax",
        "mask-after-softmax",
        "Softmax runs over all keys, then the blocked weights become 0.",
        weigh=lambda scores, allowed, temperature: (
            weights_of(scores, None, temperature) * is_open(scores, allowed)
        ),
    ),
    wrong_attention(
        "masked_score_zero",
        "masked-score-zero",
        "Blocked scores become 0, and exp(0) is 1.",
        weigh=lambda scores, allowed, temperature: weights_of(
            fill(scores, allowed, 0.0), None, temperature
        ),
    ),
    wrong_attention(
        "finite_fill",
        "finite-is-infinite",
        "Blocked scores become -10,000, which a legal score can be below, and which is even "
        "over an empty row.",
        weigh=lambda scores, allowed, temperature: weights_of(
            fill(scores, allowed, -1e4), None, temperature
        ),
    ),
    wrong_attention(
        "finite_added",
        "shift-drowns-differences",
        "-10,000 is added to blocked scores, which changes nothing over an empty row.",
        weigh=lambda scores, allowed, temperature: weights_of(
            scores - 1e4 * ~is_open(scores, allowed), None, temperature
        ),
    ),
    wrong_attention(
        "empty_row_uniform",
        "even-over-all",
        "A row with nothing to read is spread evenly over all keys.",
        weigh=_uniform_if_empty,
    ),
    wrong_attention(
        "empty_row_nan",
        "always-reads-itself",
        "A row with nothing to read is not provided for, and becomes nan.",
        weigh=lambda scores, allowed, temperature: (
            fill(scores, allowed, -math.inf) / temperature
        ).softmax(-1),
    ),
    wrong_attention(
        "infinity_added",
        "skipped-cannot-hurt",
        "-inf is added and nan replaced by 0 afterwards: right forwards, nan in the gradients.",
        weigh=_added,
    ),
    wrong_attention(
        "strict_causal",
        "not-itself",
        "A position may not read itself.",
        weigh=lambda scores, allowed, temperature: weights_of(
            scores, _strict(scores, allowed), temperature
        ),
    ),
    wrong_attention(
        "always_causal",
        "always-causal",
        "A causal mask is always on, whether one is asked for or not.",
        weigh=lambda scores, allowed, temperature: weights_of(
            scores, is_open(scores, allowed).tril(), temperature
        ),
    ),
    wrong_attention(
        "heat_leaks",
        "leaks-into-future",
        "Blocked scores are only 20 below the lowest, and the temperature divides that too.",
        weigh=lambda scores, allowed, temperature: weights_of(
            fill(scores, allowed, scores.min().item() - 20), None, temperature
        ),
    ),
)

"""Wrong ways from right scores to weights, and from right weights to the output."""

import torch
from torch import Tensor

from attn_lab.grade.mistakes_entry import weights_of, wrong_output, wrong_weights
from attn_lab.grade.mistakes_masking import fill, is_open

Allowed = Tensor | None


def _over_everything(scores: Tensor, allowed: Allowed, temperature: float) -> Tensor:
    flat = is_open(scores, allowed).flatten(-2)
    return weights_of(scores.flatten(-2), flat, temperature).reshape(scores.shape)


def _best(scores: Tensor) -> Tensor:
    return torch.zeros_like(scores).scatter(-1, scores.argmax(-1, keepdim=True), 1.0)


def _even(allowed: Tensor, scores: Tensor) -> Tensor:
    return (allowed / allowed.sum(-1, keepdim=True).clamp(min=1)).to(scores.dtype)


def _without_maximum(scores: Tensor, allowed: Allowed, temperature: float) -> Tensor:
    parts = fill((scores / temperature).exp(), allowed, 0.0)
    return parts / parts.sum(-1, keepdim=True)


def _smallest_subtracted(scores: Tensor, allowed: Allowed, temperature: float) -> Tensor:
    heated = scores / temperature
    parts = fill((heated - heated.amin(-1, keepdim=True)).exp(), allowed, 0.0)
    total = parts.sum(-1, keepdim=True)
    return parts / total.masked_fill(total == 0, 1.0)


WEIGHTS = (
    wrong_weights(
        "softmax_over_queries",
        "axes-swapped",
        "The softmax runs down the columns: columns add to 1, rows do not.",
        lambda scores, allowed, temperature: weights_of(
            scores.transpose(-2, -1), is_open(scores, allowed).transpose(-2, -1), temperature
        ).transpose(-2, -1),
    ),
    wrong_weights(
        "one_softmax_for_all",
        "rows-compete",
        "One softmax runs over the whole matrix: all its weights together add to 1.",
        _over_everything,
    ),
    wrong_weights(
        "without_maximum",
        "computer-does-mathematics",
        "The maximum is not subtracted, and exponentials of large scores overflow.",
        _without_maximum,
    ),
    wrong_weights(
        "other_than_maximum",
        "computer-does-mathematics",
        "What is subtracted is not the largest score, and the largest exponential can overflow.",
        _smallest_subtracted,
    ),
    wrong_weights(
        "hard_lookup",
        "hard-lookup",
        "The best legal match gets everything.",
        lambda scores, allowed, temperature: (
            _best(fill(scores, allowed, -torch.inf)) * is_open(scores, allowed)
        ),
    ),
    wrong_weights(
        "hard_lookup_over_all",
        "hard-lookup",
        "The best match gets everything, whether it may be read or not.",
        lambda scores, allowed, temperature: _best(scores),
    ),
    wrong_weights(
        "even_over_legal",
        "even-over-legal",
        "The legal keys share evenly, whatever their scores.",
        lambda scores, allowed, temperature: _even(is_open(scores, allowed), scores),
    ),
    wrong_weights(
        "even_over_all",
        "even-over-all",
        "All keys share evenly, the blocked ones too.",
        lambda scores, allowed, temperature: _even(is_open(scores, None), scores),
    ),
    wrong_weights(
        "itself_alone",
        "no-mixing",
        "Each position reads itself and nothing else.",
        lambda scores, allowed, temperature: torch.eye(
            *scores.shape[-2:], dtype=scores.dtype
        ).expand(scores.shape),
    ),
    wrong_weights(
        "score_is_weight",
        "score-is-weight",
        "The legal scores are used as weights.",
        lambda scores, allowed, temperature: fill(scores / temperature, allowed, 0.0),
    ),
    wrong_weights(
        "shares_of_scores",
        "ratios-decide",
        "Each legal score is divided by their sum, without an exponential.",
        lambda scores, allowed, temperature: (
            fill(scores, allowed, 0.0) / fill(scores, allowed, 0.0).sum(-1, keepdim=True)
        ),
    ),
    wrong_weights(
        "not_normalised",
        "not-normalised",
        "The exponentials of the legal scores are used as weights.",
        lambda scores, allowed, temperature: fill((scores / temperature).exp(), allowed, 0.0),
    ),
    wrong_weights(
        "plain_sum",
        "plain-sum",
        "Every legal value is added whole.",
        lambda scores, allowed, temperature: is_open(scores, allowed).to(scores.dtype),
    ),
    wrong_output(
        "weights_on_wrong_keys",
        "keys-swapped",
        "The weights meet the values in the opposite order.",
        lambda weights, v: weights.flip(-1) @ v,
    ),
    wrong_output(
        "read_along_columns",
        "axes-swapped",
        "The output mixes with the columns of the weights, not with the rows.",
        lambda weights, v: weights.transpose(-2, -1) @ v,
    ),
    wrong_output(
        "weights_are_output",
        "weights-are-output",
        "The weights are returned as the output; the values are never used.",
        lambda weights, v: weights,
    ),
)

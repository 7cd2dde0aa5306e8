"""Wrong ways to make scores and heat them, to make weights of them, and an output of those."""

import math

import torch
from torch import Tensor

from attn_lab.core.attention import AttentionResult
from attn_lab.grade.mistakes.mistake_entry import (
    Mistake,
    scores_of,
    weights_of,
    wrong_attention,
)
from attn_lab.grade.mistakes.wrong_masking import Allowed, fill, is_open


def _keys_and_values_swapped(
    q: Tensor, k: Tensor, v: Tensor, allowed: Allowed = None, temperature: float = 1.0
) -> AttentionResult:
    weights = weights_of(scores_of(q, v), allowed, temperature)
    return AttentionResult(weights @ k, weights)


def _root_after_softmax(
    q: Tensor, k: Tensor, v: Tensor, allowed: Allowed = None, temperature: float = 1.0
) -> AttentionResult:
    weights = weights_of(q @ k.transpose(-2, -1), allowed, temperature) / q.shape[-1] ** 0.5
    return AttentionResult(weights @ v, weights)


SCORES = (
    wrong_attention(
        "no_scale",
        "root-forgotten",
        "The dot products go into the softmax as they are.",
        score=lambda q, k, v: q @ k.transpose(-2, -1),
    ),
    wrong_attention(
        "divided_by_d",
        "divided-by-d",
        "The dot products are divided by d_k, as when the root is divided out twice.",
        score=lambda q, k, v: q @ k.transpose(-2, -1) / q.shape[-1],
    ),
    wrong_attention(
        "multiplied_by_root",
        "root-forgotten",
        "The dot products are multiplied by the root of d_k.",
        score=lambda q, k, v: q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5,
    ),
    wrong_attention(
        "scaled_by_value_width",
        "values-match-keys",
        "The root is that of the value's width, not of the key's.",
        score=lambda q, k, v: q @ k.transpose(-2, -1) / v.shape[-1] ** 0.5,
    ),
    wrong_attention(
        "transposed_product",
        "axes-swapped",
        "Keys ask and queries answer: K Qᵀ instead of Q Kᵀ.",
        score=lambda q, k, v: scores_of(k, q),
    ),
    Mistake(
        "keys_and_values_swapped",
        "roles-swapped",
        _keys_and_values_swapped,
        "attention",
        "The value is matched and the key is fetched.",
    ),
    wrong_attention(
        "temperature_multiplied",
        "temperature-reversed",
        "The scores are multiplied by the temperature: it sharpens where it should level.",
        weigh=lambda scores, allowed, temperature: weights_of(scores, allowed, 1 / temperature),
    ),
    wrong_attention(
        "temperature_ignored",
        "temperature-cancels",
        "The temperature changes nothing.",
        weigh=lambda scores, allowed, temperature: weights_of(scores, allowed),
    ),
    wrong_attention(
        "temperature_under_root",
        "temperature-under-root",
        "The scores are divided by the root of the temperature.",
        weigh=lambda scores, allowed, temperature: weights_of(scores, allowed, temperature**0.5),
    ),
    wrong_attention(
        "temperature_after_softmax",
        "temperature-changes-the-sum",
        "The weights are divided by the temperature, where the scores should be.",
        weigh=lambda scores, allowed, temperature: weights_of(scores, allowed) / temperature,
    ),
    Mistake(
        "root_after_softmax",
        "divided-too-late",
        _root_after_softmax,
        "attention",
        "The weights are divided by the root of d_k, where the dot products should be.",
    ),
)


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
    wrong_attention(
        "softmax_over_queries",
        "axes-swapped",
        "The softmax runs down the columns: columns add to 1, rows do not.",
        weigh=lambda scores, allowed, temperature: weights_of(
            scores.transpose(-2, -1), is_open(scores, allowed).transpose(-2, -1), temperature
        ).transpose(-2, -1),
    ),
    wrong_attention(
        "one_softmax_for_all",
        "rows-compete",
        "One softmax runs over the whole matrix: all its weights together add to 1.",
        weigh=_over_everything,
    ),
    wrong_attention(
        "base_two",
        "any-base",
        "2 is raised to the scores, where e should be.",
        weigh=lambda scores, allowed, temperature: weights_of(
            scores * math.log(2), allowed, temperature
        ),
    ),
    wrong_attention(
        "without_maximum",
        "computer-does-mathematics",
        "The maximum is not subtracted, and exponentials of large scores overflow.",
        weigh=_without_maximum,
    ),
    wrong_attention(
        "other_than_maximum",
        "computer-does-mathematics",
        "What is subtracted is not the largest score, and the largest exponential can overflow.",
        weigh=_smallest_subtracted,
    ),
    wrong_attention(
        "hard_lookup",
        "hard-lookup",
        "The best legal match gets everything.",
        weigh=lambda scores, allowed, temperature: (
            _best(fill(scores, allowed, -torch.inf)) * is_open(scores, allowed)
        ),
    ),
    wrong_attention(
        "hard_lookup_over_all",
        "hard-lookup",
        "The best match gets everything, whether it may be read or not.",
        weigh=lambda scores, allowed, temperature: _best(scores),
    ),
    wrong_attention(
        "even_over_legal",
        "even-over-legal",
        "The legal keys share evenly, whatever their scores.",
        weigh=lambda scores, allowed, temperature: _even(is_open(scores, allowed), scores),
    ),
    wrong_attention(
        "even_over_all",
        "even-over-all",
        "All keys share evenly, the blocked ones too.",
        weigh=lambda scores, allowed, temperature: _even(is_open(scores, None), scores),
    ),
    wrong_attention(
        "itself_alone",
        "no-mixing",
        "Each position reads itself and nothing else.",
        weigh=lambda scores, allowed, temperature: torch.eye(
            *scores.shape[-2:], dtype=scores.dtype
        ).expand(scores.shape),
    ),
    wrong_attention(
        "score_is_weight",
        "score-is-weight",
        "The legal scores are used as weights.",
        weigh=lambda scores, allowed, temperature: fill(scores / temperature, allowed, 0.0),
    ),
    wrong_attention(
        "shares_of_scores",
        "ratios-decide",
        "Each legal score is divided by their sum, without an exponential.",
        weigh=lambda scores, allowed, temperature: (
            fill(scores, allowed, 0.0) / fill(scores, allowed, 0.0).sum(-1, keepdim=True)
        ),
    ),
    wrong_attention(
        "not_normalised",
        "not-normalised",
        "The exponentials of the legal scores are used as weights.",
        weigh=lambda scores, allowed, temperature: fill((scores / temperature).exp(), allowed, 0.0),
    ),
    wrong_attention(
        "plain_sum",
        "plain-sum",
        "Every legal value is added whole.",
        weigh=lambda scores, allowed, temperature: is_open(scores, allowed).to(scores.dtype),
    ),
    wrong_attention(
        "weights_on_wrong_keys",
        "keys-swapped",
        "The weights meet the values in the opposite order.",
        mix=lambda weights, v: weights.flip(-1) @ v,
    ),
    wrong_attention(
        "read_along_columns",
        "axes-swapped",
        "The output mixes with the columns of the weights, not with the rows.",
        mix=lambda weights, v: weights.transpose(-2, -1) @ v,
    ),
    wrong_attention(
        "weights_are_output",
        "weights-are-output",
        "The weights are returned as the output; the values are never used.",
        mix=lambda weights, v: weights,
    ),
)

"""Wrong ways to make scores and to heat them."""

from torch import Tensor

from attn_lab.core.attention import AttentionResult
from attn_lab.grade.mistakes_entry import (
    Mistake,
    scores_of,
    weights_of,
    wrong_scores,
    wrong_weights,
)


def _keys_and_values_swapped(
    q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None = None, temperature: float = 1.0
) -> AttentionResult:
    weights = weights_of(scores_of(q, v), allowed, temperature)
    return AttentionResult(weights @ k, weights)


SCORES = (
    wrong_scores(
        "no_scale",
        "root-forgotten",
        "The dot products go into the softmax as they are.",
        lambda q, k, v: q @ k.transpose(-2, -1),
    ),
    wrong_scores(
        "divided_by_d",
        "divided-by-d",
        "The dot products are divided by d_k, as when the root is divided out twice.",
        lambda q, k, v: q @ k.transpose(-2, -1) / q.shape[-1],
    ),
    wrong_scores(
        "multiplied_by_root",
        "root-forgotten",
        "The dot products are multiplied by the root of d_k.",
        lambda q, k, v: q @ k.transpose(-2, -1) * q.shape[-1] ** 0.5,
    ),
    wrong_scores(
        "scaled_by_value_width",
        "values-match-keys",
        "The root is that of the value's width, not of the key's.",
        lambda q, k, v: q @ k.transpose(-2, -1) / v.shape[-1] ** 0.5,
    ),
    wrong_scores(
        "transposed_product",
        "axes-swapped",
        "Keys ask and queries answer: K Qᵀ instead of Q Kᵀ.",
        lambda q, k, v: scores_of(k, q),
    ),
    Mistake(
        "keys_and_values_swapped",
        "roles-swapped",
        _keys_and_values_swapped,
        "attention",
        "The value is matched and the key is fetched.",
    ),
    wrong_weights(
        "temperature_multiplied",
        "temperature-reversed",
        "The scores are multiplied by the temperature: it sharpens where it should level.",
        lambda scores, allowed, temperature: weights_of(scores, allowed, 1 / temperature),
    ),
    wrong_weights(
        "temperature_ignored",
        "temperature-cancels",
        "The temperature changes nothing.",
        lambda scores, allowed, temperature: weights_of(scores, allowed),
    ),
    wrong_weights(
        "temperature_under_root",
        "temperature-under-root",
        "The scores are divided by the root of the temperature.",
        lambda scores, allowed, temperature: weights_of(scores, allowed, temperature**0.5),
    ),
)

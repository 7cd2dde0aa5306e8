"""An error alone has many causes: only one with a known mistake's values gets its name."""

import math

import pytest

from attn_lab.grade import check


def typing_error(q, k, v):
    return nope  # noqa: F821


def attend(scores, v):
    weights = scores.softmax(-1)
    return weights @ v, weights


def typing_error_with_a_mask(q, k, v, allowed=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fil(~allowed, -math.inf)
    return attend(scores, v)


def not_of_a_tensor(q, k, v, allowed=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        scores[not allowed] = -math.inf
    return attend(scores, v)


def sure_of_itself(q, k, v):
    assert q.shape == k.shape
    return attend(q @ k.mT / q.shape[-1] ** 0.5, v)


def refusing(q, k, v, allowed=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        if not allowed.any(-1).all():
            raise RuntimeError("a row is empty")
        scores = scores.masked_fill(~allowed, -math.inf)
    return attend(scores, v)


def transpose_forgotten(q, k, v):
    return attend(q @ k / q.shape[-1] ** 0.5, v)


def two_axes_turned(q, k, v):
    return attend(q @ k.T / q.shape[-1] ** 0.5, v)


def two_axes_unpacked(q, k, v):
    _, d = q.shape
    return attend(q @ k.T / d**0.5, v)


def layer_without_a_batch(x, w_q, w_k, w_v, w_o, n_heads, allowed):
    T, _ = x.shape
    q, k, v = ((x @ w).view(T, n_heads, -1).transpose(0, 1) for w in (w_q, w_k, w_v))
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~allowed, -math.inf)
    output, weights = attend(scores, v)
    return output.transpose(0, 1).reshape(T, -1) @ w_o, weights


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (typing_error, "NameError"),
        (typing_error_with_a_mask, "AttributeError"),
        (not_of_a_tensor, "RuntimeError"),
        (sure_of_itself, "AssertionError"),
        (refusing, "RuntimeError: a row is empty"),
        (transpose_forgotten, "RuntimeError: mat1 and mat2"),
        (two_axes_turned, "RuntimeError"),
        (two_axes_unpacked, "ValueError"),
    ],
)
def test_an_error_of_its_own_gets_no_mistakes_name(function, error):
    verdict = check("attention", function)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert f"stopped with {error}" in verdict.message and "The line: `" in verdict.message
    assert "known mistake" not in verdict.message and "Plain Python" not in verdict.message


def test_a_layer_that_takes_no_batch_is_told_of_its_error():
    verdict = check("multi_head", layer_without_a_batch)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert "ValueError" in verdict.message and "known mistake" not in verdict.message


def test_an_error_is_named_where_values_elsewhere_are_the_mistakes_too():
    def turned(q, k, v):
        return attend(k @ q.transpose(-2, -1) / q.shape[-1] ** 0.5, v)

    verdict = check("attention", turned)
    assert verdict.mistake == "transposed_product"
    assert "The same error comes out of a known mistake" in verdict.message


def test_exchanged_keys_and_values_are_shown_by_numbers():
    def exchanged(q, k, v):
        return attend(q @ v.mT / q.shape[-1] ** 0.5, k)

    verdict = check("attention", exchanged)
    assert verdict.mistake == "keys_and_values_swapped"
    assert "The weights differ" in verdict.message

"""A mask is given however the function takes it; what the task asks for must have a place."""

import math

import pytest
import torch

from attn_lab.grade import check


def attention(q, k, v, allowed=None):
    scores = q @ k.mT / q.shape[-1] ** 0.5
    legal = torch.ones_like(scores).bool() if allowed is None else allowed
    scores = scores.masked_fill(~legal, -math.inf)
    weights = scores.masked_fill(~legal.any(-1, keepdim=True), 0.0).softmax(-1) * legal
    return weights @ v, weights


def layer(x, w_q, w_k, w_v, w_o, n_heads, allowed=None):
    q, k, v = ((x @ w).unflatten(-1, (n_heads, -1)).transpose(-3, -2) for w in (w_q, w_k, w_v))
    output, weights = attention(q, k, v, allowed)
    return output.transpose(-3, -2).flatten(-2) @ w_o, weights


class Layer(torch.nn.Module):
    def forward(self, x, w_q, w_k, w_v, w_o, n_heads, *, mask):
        return layer(x, w_q, w_k, w_v, w_o, n_heads, mask)


class Attention(torch.nn.Module):
    def forward(self, q, k, v, allowed=None):
        return attention(q, k, v, allowed)


def keyword_only(q, k, v, *, mask=None):
    return attention(q, k, v, mask)


def by_place_only(q, k, v, scale=None, allowed=None, /):
    return attention(q, k, v, allowed)


def all_by_name(*, q, k, v, allowed=None):
    return attention(q, k, v, allowed)


@pytest.mark.parametrize("way", [Attention(), keyword_only, by_place_only, all_by_name])
def test_a_mask_is_given_however_the_function_takes_it(way):
    verdict = check("attention", way)
    assert verdict.passed and "a causal mask" in verdict.message, verdict.message


@pytest.mark.parametrize(
    "way",
    [
        Layer(),
        lambda *a, **k: layer(*a, **k),
        lambda x, w_q, w_k, w_v, w_o, n_heads, **k: layer(x, w_q, w_k, w_v, w_o, n_heads, **k),
    ],
)
def test_a_layer_is_given_its_mask_however_it_takes_it(way):
    verdict = check("multi_head", way)
    assert verdict.passed, verdict.message


class Nothing(torch.nn.Module):
    def forward(self, x, w_q, w_k, w_v, w_o, n_heads):
        return None


@pytest.mark.parametrize(
    "function",
    [
        lambda x, w_q, w_k, w_v, w_o, n_heads: None,
        lambda x, w_q, w_k, w_v, w_o, n_heads, causal=True: None,
        Nothing(),
    ],
)
def test_a_layer_that_takes_no_mask_is_told_that_one_is_asked_for(function):
    verdict = check("multi_head", function)
    assert not verdict.passed
    assert "the task asks for `allowed` as well" in verdict.message


@pytest.mark.parametrize("function", [lambda *a, **k: None, lambda x, *rest, **k: None])
def test_a_layer_that_takes_anything_is_run(function):
    verdict = check("multi_head", function)
    assert not verdict.passed and "returned nothing (None)" in verdict.message


def test_a_wrong_mask_is_seen_where_it_can_only_be_named():
    def forgotten(q, k, v, *, mask=None):
        weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
        return weights @ v, weights

    assert check("attention", forgotten).mistake == "mask_forgotten"


def test_a_function_with_other_arguments_is_shown_them_as_they_are_written():
    said = check("multi_head", lambda *, x, **rest: None).message
    assert "(x, w_q, w_k, w_v, w_o, n_heads, allowed) and takes (x, **rest)" in said

"""Public bug reports about scale, softmax, temperature and precision, with the right values.

Comments name the reports: repository#number.
"""

import math

import pytest
import torch

from attn_lab import (
    MultiHeadAttention,
    attention,
    causal_mask,
    masked_softmax,
    scaled_scores,
    tiled_attention,
)
from tests.helpers.tensors import random

F64 = torch.float64
Q = torch.tensor([[1, 0], [0, 1], [1, 1]], dtype=F64)
K = torch.tensor([[1, 0], [0, 1], [1, -1]], dtype=F64)
V = torch.tensor([[10, 0], [0, 20], [5, 5]], dtype=F64)


# PyTorch-NLP#2, jadore801120#52: rows must sum to 1, columns do not
def test_the_softmax_runs_along_the_keys():
    weights = attention(Q, K, V).weights
    assert weights.sum(-1).tolist() == pytest.approx([1, 1, 1], abs=1e-15)
    assert weights.sum(0).tolist() == pytest.approx([1.08621959, 1.17486325, 0.73891716], abs=1e-8)


def test_the_softmax_axis_shows_where_there_are_as_many_keys_as_queries():
    scores = torch.tensor([[0.0, 1.0], [1.0, 5.0]])
    assert masked_softmax(scores).sum(-1).tolist() == pytest.approx([1, 1])
    assert masked_softmax(scores)[0].tolist() == pytest.approx([0.26894, 0.73106], abs=1e-5)


# DL4Proteins-notebooks#12, ViT-CIFAR PR#11, perceiver-io#9: 512 wide with 8 heads divides by 8
def test_the_scale_is_that_of_the_heads_width():
    q, k = random(4000, 64, seed=1), random(4000, 64, seed=2)
    scores = (q * k).sum(-1) / 8
    assert scores.std().item() == pytest.approx(1, abs=0.03)
    heads = MultiHeadAttention(512, 8)
    x = random(1, 64, 512, dtype=torch.float32)
    q, k = (w(x).unflatten(-1, (8, 64)).transpose(1, 2) for w in (heads.w_q, heads.w_k))
    expected = (q @ k.transpose(-2, -1) / 8).softmax(-1)
    torch.testing.assert_close(heads(x).weights, expected, rtol=0, atol=1e-6)


# transformers PR#38290, maxtext#3138
def test_a_scale_that_is_given_is_the_only_one():
    once = attention(Q, K, V).output[0]
    assert once.tolist() == pytest.approx([6.01668139, 5.96107676], abs=1e-8)
    prescaled = attention(Q / 2**0.5, K, V, scale=1.0).output[0]
    torch.testing.assert_close(prescaled, once, rtol=0, atol=1e-14)
    twice = attention(Q / 2**0.5, K, V).output[0]
    assert twice.tolist() == pytest.approx([5.7548, 6.5722], abs=1e-4)


# pytorch#42929, #33360, #90842: weights that are returned are those that were used
def test_the_weights_are_those_that_mixed_the_values_in_training_too():
    torch.manual_seed(0)
    heads, x = MultiHeadAttention(6, 3).double(), random(2, 5, 6)
    for module in (heads.train(), heads.eval()):
        output, weights = module(x)
        assert weights.shape == (2, 3, 5, 5)  # not averaged over heads
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 5, dtype=F64))
        values = module.w_v(x).unflatten(-1, (3, 2)).transpose(1, 2)
        mixed = (weights @ values).transpose(1, 2).flatten(-2)
        torch.testing.assert_close(output, module.w_o(mixed), rtol=0, atol=1e-14)


# bark#270, gemma PR#583, pytorch#184031
@pytest.mark.parametrize(
    ("temperature", "weights"),
    [
        (1e-300, [1, 0, 0]),
        (1e-40, [1, 0, 0]),
        (0.1, [0.9999546, 0.0000454, 0]),
        (2, [0.50648, 0.30720, 0.18632]),
        (100, [0.33667, 0.33332, 0.33001]),
        (1e30, [1 / 3] * 3),
        (1e300, [1 / 3] * 3),
    ],
)
@pytest.mark.parametrize("dtype", [torch.float32, F64])
def test_every_temperature_above_zero_gives_a_distribution(temperature, weights, dtype):
    given = masked_softmax(torch.tensor([2, 1, 0], dtype=dtype), temperature=temperature)
    assert given.tolist() == pytest.approx(weights, abs=6e-6)


@pytest.mark.parametrize("temperature", [0, 0.0, -1, -1e-40, math.nan, math.inf, -math.inf])
def test_no_other_temperature_is_taken(temperature):
    for call in (
        lambda: masked_softmax(Q, temperature=temperature),
        lambda: attention(Q, K, V, temperature=temperature),
        lambda: tiled_attention(Q, K, V, temperature=temperature),
    ):
        with pytest.raises(ValueError, match="temperature must be a finite number above 0"):
            call()


# onnxruntime-genai PR#1211 and the like: a finite fill would leak under heat
@pytest.mark.parametrize("temperature", [1.0, 1e9, 1e38, 1e300])
def test_no_heat_makes_weight_seep_behind_the_mask(temperature):
    for dtype in (torch.float32, F64):
        weights = attention(
            Q.to(dtype), K.to(dtype), V.to(dtype), allowed=causal_mask(3), temperature=temperature
        ).weights
        assert weights.triu(1).eq(0).all() and weights[0].tolist() == [1, 0, 0]


# three keys whose scores lie in the ratio 2 : 1 : 0, at every magnitude that fits
@pytest.mark.parametrize("size", [1e4, 1e10, 1e20, 1e30, 1e38, 3e38])
def test_huge_finite_scores_pick_the_winner(size):
    q, k = torch.tensor([[size]]), torch.tensor([[1.0], [0.5], [0.0]])
    v = torch.eye(3)
    for need in (True, False):
        assert attention(q, k, v, scale=1.0, need_weights=need).output.tolist() == [[1, 0, 0]]
    assert tiled_attention(q, k, v, scale=1.0, block_size=1).tolist() == [[1, 0, 0]]


@pytest.mark.parametrize("size", [1e4, 1e20, 1e38])
def test_huge_finite_scores_send_finite_gradients(size):
    q = torch.tensor([[size]], requires_grad=True)
    k, v = torch.tensor([[1.0], [-1.0]], requires_grad=True), torch.eye(2, requires_grad=True)
    attention(q, k, v, scale=1.0).output[0, 0].backward()
    assert all(x.grad is not None and x.grad.isfinite().all() for x in (q, k, v))


def test_scores_that_do_not_fit_are_refused_instead_of_nan():
    q = torch.full((1, 4), 3e38)
    for call in (attention, tiled_attention):
        with pytest.raises(ValueError, match="q and k are finite, but too large together"):
            call(q, q, q)
    with pytest.raises(ValueError, match="q and k are finite, but too large together"):
        scaled_scores(q, q)


# the same constant on every legal score changes nothing; in half precision it would
@pytest.mark.parametrize(("dtype", "atol"), [(F64, 1e-14), (torch.float32, 1e-6)])
def test_a_shift_by_100_changes_nothing(dtype, atol):
    scores = torch.tensor([0.707, 0.0], dtype=dtype)
    torch.testing.assert_close(
        masked_softmax(scores + 100), masked_softmax(scores), rtol=0, atol=atol
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_rows_of_77_keys_add_to_one_far_better_than_half_arithmetic_would(dtype):
    q, k = random(5, 16, dtype=dtype), random(77, 16, seed=1, dtype=dtype)
    weights = masked_softmax(scaled_scores(q, k))
    assert weights.dtype == torch.float32
    assert (weights.sum(-1) - 1).abs().max() < 1e-6


# pytorch#123656, flash-attention#414, #988
@pytest.mark.parametrize("T", [7, 600])
@pytest.mark.parametrize("need_weights", [True, False])
def test_a_second_run_gives_the_same_bits(T, need_weights):
    q, k, v = (random(2, T, 8, seed=s, dtype=torch.float32) for s in range(3))
    first = attention(q, k, v, allowed=causal_mask(T), need_weights=need_weights).output
    for _ in range(5):
        again = attention(q, k, v, allowed=causal_mask(T), need_weights=need_weights).output
        assert torch.equal(again, first)


def test_a_second_run_gives_the_same_gradients():
    def gradients():
        inputs = [random(3, 40, 8, seed=s).requires_grad_() for s in range(3)]
        attention(*inputs, allowed=causal_mask(40)).output.square().sum().backward()
        return [x.grad for x in inputs]

    for first, again in zip(gradients(), gradients(), strict=True):
        assert torch.equal(first, again)


@pytest.mark.parametrize(
    ("q_size", "k_size", "scale"),
    [(1e38, 1e23, 1e-60), (1e-25, 1e-16, 1e40), (0.0, 1.0, 1e300), (0.0, 0.0, 1e39), (0.0, 1.0, 0)],
)
@pytest.mark.parametrize("T", [4, 600])
def test_no_scale_however_extreme_makes_a_nan_or_is_lost(T, q_size, k_size, scale):
    q, k, v = (random(1, 1, T, 2, seed=s) for s in range(3))
    q, k = q * q_size, k * k_size
    right = attention(q, k, v, scale=scale).output
    narrow = [x.float() for x in (q, k, v)]
    for output in (
        attention(*narrow, scale=scale).output,
        attention(*narrow, scale=scale, need_weights=False).output,
        attention(narrow[0].requires_grad_(), *narrow[1:], scale=scale).output,
        tiled_attention(*narrow, scale=scale, block_size=T // 3 + 1),  # tiles of unlike size
    ):
        torch.testing.assert_close(output.double(), right, rtol=0, atol=1e-4)

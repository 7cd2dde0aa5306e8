"""Attention against the formula in NumPy float64, which shares no code with it."""

import numpy as np
import pytest
import torch

from attn_lab import (
    attention,
    causal_mask,
    masked_softmax,
    padding_mask,
    scaled_scores,
    tiled_attention,
)


def oracle(q, k, v, allowed=True, scale=None, temperature=1.0):
    """softmax(q kᵀ · scale / temperature) v over the allowed keys, and the weights."""
    q, k, v = (np.asarray(x.double()) for x in (q, k, v))
    scores = np.einsum("...id,...jd->...ij", q, k)
    scores *= 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    allowed = np.broadcast_to(np.asarray(allowed), scores.shape)
    highest = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-1e300)
    parts = np.exp(np.where(allowed, (scores - highest) / temperature, -np.inf))
    total = parts.sum(axis=-1, keepdims=True)
    weights = np.divide(parts, total, out=np.zeros_like(parts), where=total > 0)
    return np.einsum("...ij,...jd->...id", weights, v), weights


def assert_same(result, expected, atol):
    for got, wanted in zip(result, expected, strict=True):
        np.testing.assert_allclose(got.double(), wanted, rtol=0, atol=atol)


def test_the_oracle_knows_the_articles_row():
    q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    output, weights = oracle(q, k, torch.tensor([[10.0, 0.0], [0.0, 20.0]]))
    assert weights.tolist() == [pytest.approx([0.669761549, 0.330238451], abs=1e-9)]
    assert output.tolist() == [pytest.approx([6.697615, 6.604769], abs=1e-6)]


@pytest.mark.parametrize("shape", [(1, 1, 1, 1), (4, 4, 3, 3), (2, 6, 3, 5), (7, 3, 8, 1)])
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_every_shape_gives_the_formula(random, precision, leading, shape):
    dtype, atol = precision
    T_q, T_k, d_k, d_v = shape
    q, k = (random(*leading, T, d_k, dtype=dtype) for T in (T_q, T_k))
    v = random(*leading, T_k, d_v, dtype=dtype)
    for temperature in (0.3, 1.0, 5.0):
        for scale in (None, 0.5, -1.0):
            expected = oracle(q, k, v, scale=scale, temperature=temperature)
            result = attention(q, k, v, scale=scale, temperature=temperature)
            assert_same(result, expected, atol)


@pytest.mark.parametrize("density", [0.1, 0.5, 0.9])
def test_every_mask_gives_the_formula_and_zero_where_nothing_is_open(random, precision, density):
    dtype, atol = precision
    q, k, v = (random(2, 3, 6, 4, dtype=dtype) for _ in range(3))
    threshold = torch.special.ndtri(torch.tensor(density))  # so much of a normal draw is below
    for shape in [(6, 6), (2, 3, 6, 6), (2, 1, 6, 6), (1, 3, 1, 6), (2, 1, 1, 6)]:
        allowed = random(*shape) < threshold
        expected = oracle(q, k, v, allowed)
        result = attention(q, k, v, allowed=allowed, fully_masked="zero")
        assert_same(result, expected, atol)
        weights = masked_softmax(scaled_scores(q, k), allowed, fully_masked="zero")
        assert_same([weights, weights @ v], expected[::-1], atol)
        tiled = tiled_attention(q, k, v, allowed=allowed, fully_masked="zero", block_size=4)
        assert_same([tiled], expected[:1], atol)


@pytest.mark.parametrize("size", [1e2, 1e4, 1e9])
def test_large_scores_of_either_sign_give_the_formula(random, size):
    q, k, v = (random(3, 6, 4) for _ in range(3))
    q, k = (q * size).round(), (k * 8).round() / 8  # exact products: rounding could decide a row
    expected = oracle(q, k, v, np.tri(6, dtype=bool), scale=1.0)
    assert_same(attention(q, k, v, allowed=causal_mask(6), scale=1.0), expected, 1e-12)


@pytest.mark.parametrize(("dtype", "atol"), [(torch.float16, 5e-4), (torch.bfloat16, 4e-3)])
def test_half_inputs_give_the_formula_but_for_the_last_rounding(random, dtype, atol):
    q, k, v = (random(2, 3, 6, 4, dtype=dtype) for _ in range(3))
    allowed = torch.from_numpy(np.tri(6, dtype=bool))
    expected = oracle(q, k, v.clamp(-1, 1), allowed)
    assert_same(attention(q, k, v.clamp(-1, 1), allowed=allowed), expected, atol)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_long_rows_served_by_the_faster_ways_give_the_formula(random, precision, temperature):
    dtype, atol = precision
    q, k, v = (random(2, 530, 8, dtype=dtype) for _ in range(3))
    allowed = causal_mask(530) & padding_mask([530, 200], 530)
    expected = oracle(q, k, v, allowed, temperature=temperature)
    settings = {"allowed": allowed, "temperature": temperature}
    assert_same(attention(q, k, v, **settings), expected, atol)
    without = attention(q, k, v, need_weights=False, **settings).output
    assert_same([without, tiled_attention(q, k, v, **settings)], [expected[0]] * 2, atol)

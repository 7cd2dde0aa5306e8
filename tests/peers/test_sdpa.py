"""Attention against torch's own, held to its plain kernel (MATH)."""

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import causal_lower_right
from torch.nn.functional import scaled_dot_product_attention

from attn_lab import attention, causal_mask, padding_mask

CAUSAL = torch.ones(5, 5, dtype=torch.bool).tril()
PADDED = torch.tensor([True, True, True, False, True])
DEAD = CAUSAL & torch.tensor([True, False, True, False, True])[:, None]
HEADS = torch.stack([CAUSAL, DEAD, CAUSAL.T])
MASKS = {
    "none": None,
    "rows and columns": CAUSAL & PADDED,
    "a mask for each head": torch.stack([HEADS, HEADS.flip(0)]),
    "the same for every head": torch.stack([CAUSAL, DEAD])[:, None],
    "keys of each sequence": torch.stack([PADDED, ~PADDED])[:, None, None],
    "rows without a key": DEAD,
}


def peer(q, k, v, allowed=None, **settings):
    """torch's output, and its weights: what it gives when each value is its own unit vector."""
    unit = torch.eye(k.shape[-2], dtype=v.dtype).expand(*k.shape[:-1], -1)
    with sdpa_kernel(SDPBackend.MATH):
        return [
            scaled_dot_product_attention(q, k, values, attn_mask=allowed, **settings)
            for values in (v, unit)
        ]


def assert_same(results, expected, atol):
    for got, wanted in zip(results, expected, strict=True):
        torch.testing.assert_close(got, wanted, rtol=0, atol=atol)


@pytest.mark.parametrize("d_v", [4, 7])
@pytest.mark.parametrize("allowed", MASKS.values(), ids=MASKS)
def test_output_and_weights_are_those_of_torch(random, precision, allowed, d_v):
    dtype, atol = precision
    q, k, v = (random(2, 3, 5, d, dtype=dtype) for d in (4, 4, d_v))
    result = attention(q, k, v, allowed=allowed, fully_masked="zero")
    assert_same(result, peer(q, k, v, allowed), atol)


def test_a_scale_means_what_it_means_in_torch(random, precision):
    dtype, atol = precision
    q, k, v = (random(2, 3, 5, 4, dtype=dtype) for _ in range(3))
    for scale in (0.1, 1.0, 3.0):
        assert_same(attention(q, k, v, scale=scale), peer(q, k, v, scale=scale), atol)


@pytest.mark.parametrize(("T_q", "T_k"), [(5, 5), (2, 5), (5, 2)])
def test_is_causal_is_the_upper_left_mask(random, precision, T_q, T_k):
    dtype, atol = precision
    q, k, v = (random(2, 3, T, 4, dtype=dtype) for T in (T_q, T_k, T_k))
    result = attention(q, k, v, allowed=causal_mask(T_q, T_k, align="upper_left"))
    assert_same(result, peer(q, k, v, is_causal=True), atol)


@pytest.mark.parametrize(("T_q", "T_k"), [(5, 5), (2, 5)])
def test_causal_lower_right_is_the_lower_right_mask(random, precision, T_q, T_k):
    dtype, atol = precision
    q, k, v = (random(2, 3, T, 4, dtype=dtype) for T in (T_q, T_k, T_k))
    result = attention(q, k, v, allowed=causal_mask(T_q, T_k, align="lower_right"))
    assert_same(result, peer(q, k, v, causal_lower_right(T_q, T_k)), atol)


def test_lower_right_queries_before_the_first_key_read_nothing(random, precision):
    dtype, atol = precision
    q, k, v = (random(2, 3, T, 4, dtype=dtype) for T in (5, 2, 2))
    allowed = causal_mask(5, 2, align="lower_right")
    result = attention(q, k, v, allowed=allowed, fully_masked="zero")
    with pytest.warns(UserWarning, match="NaN"):  # torch's warning; its output is 0
        bias = causal_lower_right(5, 2)
    assert_same(result, peer(q, k, v, bias), atol)
    assert result.output[..., :3, :].count_nonzero() == 0


@pytest.mark.parametrize("allowed", MASKS.values(), ids=MASKS)
def test_gradients_are_those_of_torch(random, allowed):
    inputs = [random(2, 3, 5, 4).requires_grad_() for _ in range(3)]
    pull = random(2, 3, 5, 4)
    output = attention(*inputs, allowed=allowed, fully_masked="zero").output
    found = torch.autograd.grad(output, inputs, pull)
    expected = torch.autograd.grad(peer(*inputs, allowed)[0], inputs, pull)
    assert_same(found, expected, 1e-12)


@pytest.mark.parametrize("dead", [False, True])
def test_long_rows_served_by_the_faster_ways_are_those_of_torch(random, precision, dead):
    dtype, atol = precision
    q, k, v = (random(2, 2, 540, 8, dtype=dtype) for _ in range(3))
    allowed = causal_mask(540) & padding_mask([540, 0 if dead else 300], 540)[:, None]
    expected = peer(q, k, v, allowed)
    settings = {"allowed": allowed, "fully_masked": "zero" if dead else "raise"}
    assert_same(attention(q, k, v, **settings), expected, atol)
    without = attention(q, k, v, need_weights=False, **settings).output
    assert_same([without], expected[:1], atol)

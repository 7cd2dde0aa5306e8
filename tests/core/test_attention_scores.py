import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import scaled_scores

Q = torch.tensor([[1.0, 0.0]])
K = torch.tensor([[1.0, 0.0], [0.0, 1.0]])


def test_the_article_row_scores_one_over_root_two_and_zero():
    assert torch.equal(scaled_scores(Q, K), torch.tensor([[1 / math.sqrt(2), 0.0]]))


def test_three_queries_against_five_keys_give_three_rows_of_five():
    assert scaled_scores(torch.ones(3, 2), torch.ones(5, 2)).shape == (3, 5)


def test_it_agrees_with_numpy_in_float64():
    g = torch.Generator().manual_seed(0)
    q = torch.randn(2, 3, 4, 8, generator=g, dtype=torch.float64)
    k = torch.randn(2, 3, 6, 8, generator=g, dtype=torch.float64)
    expected = np.einsum("bhqd,bhkd->bhqk", q.numpy(), k.numpy()) / math.sqrt(8)
    np.testing.assert_allclose(scaled_scores(q, k), expected, rtol=0, atol=1e-14)


def test_a_given_scale_replaces_the_root():
    assert scaled_scores(Q, K, scale=1.0).tolist() == [[1.0, 0.0]]
    assert scaled_scores(Q, K, scale=0).tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_scores_of_half_inputs_stay_float32(dtype):
    scores = scaled_scores(
        torch.full((1, 4), 3.0, dtype=dtype), torch.full((1, 4), 0.1, dtype=dtype)
    )
    assert scores.dtype == torch.float32
    assert scores.item() == pytest.approx(0.6, abs=0.002)


def test_scores_beyond_the_range_of_half_are_fine_in_float32():
    big = torch.full((1, 4), 1000.0, dtype=torch.float16)
    assert scaled_scores(big, big).item() == 2e6


def test_the_query_is_scaled_before_the_product_so_that_the_range_suffices():
    # unscaled, the dot product is 4e38, beyond float32; scaled, it is 2e38
    q, k = torch.full((1, 4), 1e19), torch.full((1, 4), 1e19)
    assert scaled_scores(q, k).item() == pytest.approx(2e38, rel=1e-6)


@pytest.mark.parametrize(
    ("q", "k", "scale", "score"),
    [
        (1e38, 1e23, 1e-60, 10.0),  # float32 knows no 1e-60: it would be 0
        (1e30, 1e16, 1e-45, 10.0),
        (1e-20, 1e-20, 1e40, 1.0),  # nor 1e40: it would be infinity
        (0.0, 1.0, 1e300, 0.0),  # and not-a-number
    ],
)
def test_a_scale_beyond_the_range_of_float32_is_obeyed_all_the_same(q, k, scale, score):
    scores = scaled_scores(torch.tensor([[q]]), torch.tensor([[k]]), scale=scale)
    assert scores.item() == pytest.approx(score, rel=1e-6)


def test_autocast_does_not_coarsen_float32():
    q = torch.full((1, 3), 1 / 3)
    plain = scaled_scores(q, q)
    with torch.autocast("cpu", torch.bfloat16):
        scores = scaled_scores(q, q)
    assert scores.dtype == torch.float32 and torch.equal(scores, plain)


@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 5), st.integers(0, 2**16))
def test_swapping_queries_and_keys_transposes_the_scores(d_k, T_q, T_k, seed):
    g = torch.Generator().manual_seed(seed)
    q = torch.randn(T_q, d_k, generator=g, dtype=torch.float64)
    k = torch.randn(T_k, d_k, generator=g, dtype=torch.float64)
    turned = scaled_scores(k, q).T
    torch.testing.assert_close(scaled_scores(q, k), turned, rtol=0, atol=1e-14)


def test_keys_of_another_width_are_refused_and_point_to_the_matrix():
    with pytest.raises(
        ValueError, match=r"k needs the width of q: \[\.\.\., T_k, 2\].*\[2, 3\].*W_K"
    ):
        scaled_scores(Q, torch.ones(2, 3))


def test_overflow_names_queries_and_keys():
    q, k = torch.full((1, 2), 1e30), torch.full((1, 2), 1e30)
    with pytest.raises(ValueError, match=r"scaled scores overflow float32: q and k are finite"):
        scaled_scores(q, k)


def test_overflow_that_cancels_to_nan_is_refused_as_well():
    q, k = torch.full((1, 2), 1e30), torch.tensor([[1e30, -1e30]])
    with pytest.raises(ValueError, match="overflow"):
        scaled_scores(q, k)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_named_with_their_place(bad):
    k = K.clone()
    k[1, 0] = bad
    with pytest.raises(ValueError, match=rf"k must hold finite numbers.*{bad} at index \[1, 0\]"):
        scaled_scores(Q, k)


@pytest.mark.parametrize(
    ("scale", "error", "words"),
    [
        (math.nan, ValueError, "scale must be a finite number; got nan"),
        ("0.5", TypeError, "scale must be a number; got str"),
        (True, TypeError, "scale must be a number; got bool"),
        (torch.tensor(0.5), TypeError, r"scale must be a number; got Tensor. Write float\(scale\)"),
    ],
)
def test_a_scale_that_is_no_finite_number_is_refused(scale, error, words):
    with pytest.raises(error, match=words):
        scaled_scores(Q, K, scale=scale)

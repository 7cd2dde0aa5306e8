import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import merge_heads, project, split_heads


def test_width_512_with_eight_heads_gives_64_columns_each():
    assert split_heads(torch.zeros(2, 10, 512), 8).shape == (2, 8, 10, 64)


def test_two_heads_of_eight_numbers_take_neighbouring_columns():
    x = torch.arange(8).reshape(1, 2, 4)
    assert split_heads(x, 2).tolist() == [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]


def test_merging_puts_each_position_together_not_each_head():
    x = torch.arange(8).reshape(1, 2, 2, 2)
    assert merge_heads(x).tolist() == [[[0, 1, 4, 5], [2, 3, 6, 7]]]


def test_head_h_is_numpy_columns_h_d_to_h_plus_one_d():
    x = np.random.default_rng(0).normal(size=(3, 5, 12))
    heads = split_heads(torch.from_numpy(x), 4)
    for h in range(4):
        assert np.array_equal(heads[:, h].numpy(), x[:, :, 3 * h : 3 * h + 3])


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_merging_undoes_splitting(n_heads, d_head, T, batch):
    shape = (2, T, n_heads * d_head) if batch else (T, n_heads * d_head)
    x = torch.arange(torch.Size(shape).numel()).reshape(shape)
    assert torch.equal(merge_heads(split_heads(x, n_heads)), x)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))
def test_splitting_undoes_merging(n_heads, d_head, T):
    x = torch.arange(n_heads * T * d_head).reshape(n_heads, T, d_head)
    assert torch.equal(split_heads(merge_heads(x), n_heads), x)


def test_heads_that_do_not_divide_the_width_are_refused_with_those_that_do():
    with pytest.raises(ValueError, match=r"n_heads must divide d_model 6; got 4.*\[1, 2, 3, 6\]"):
        split_heads(torch.zeros(2, 6), 4)


@pytest.mark.parametrize("n_heads", [0, -1])
def test_no_heads_are_refused(n_heads):
    with pytest.raises(ValueError, match=f"n_heads must be at least 1; got {n_heads}"):
        split_heads(torch.zeros(2, 6), n_heads)


def test_merging_without_a_head_axis_is_refused():
    with pytest.raises(
        ValueError, match=r"x needs shape \[\.\.\., n_heads, T, d_head\].*split_heads"
    ):
        merge_heads(torch.zeros(2, 6))


def test_no_positions_are_refused():
    with pytest.raises(ValueError, match=r"at least one entry along each axis; got \[0, 6\]"):
        split_heads(torch.zeros(0, 6), 2)


def test_five_tokens_of_width_eight_become_five_queries_of_width_three():
    x, w = torch.ones(5, 8), torch.ones(8, 3)
    assert torch.equal(project(x, w), torch.full((5, 3), 8.0))


def test_it_agrees_with_numpy_in_float64_with_a_batch():
    g = torch.Generator().manual_seed(0)
    x = torch.randn(2, 5, 8, generator=g, dtype=torch.float64)
    w = torch.randn(8, 3, generator=g, dtype=torch.float64)
    np.testing.assert_allclose(project(x, w), x.numpy() @ w.numpy(), rtol=0, atol=1e-14)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_inputs_are_multiplied_in_float32_and_come_back_half(dtype):
    g = torch.Generator().manual_seed(1)
    x = torch.randn(5, 64, generator=g).to(dtype)
    w = torch.randn(64, 8, generator=g).to(dtype)
    assert torch.equal(project(x, w), (x.float() @ w.float()).to(dtype))


def test_autocast_does_not_coarsen_float32():
    x, w = torch.full((1, 3), 1 / 3), torch.full((3, 1), 1 / 3)
    plain = project(x, w)
    with torch.autocast("cpu", torch.bfloat16):
        projected = project(x, w)
    assert projected.dtype == torch.float32 and torch.equal(projected, plain)


def test_gradients_reach_both_arguments():
    x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    w = torch.ones(3, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(project, (x, w))


@pytest.mark.parametrize(
    ("x", "w", "error", "words"),
    [
        ((5, 8), (3, 8), ValueError, r"w needs shape \[d_model, d_k\] = \[8, d_k\] to project x"),
        ((5, 8), (1, 8, 3), ValueError, r"got \[1, 8, 3\]"),
        ((8,), (8, 3), ValueError, r"x needs shape .* got \[8\]. For a single row write x\[None\]"),
        ((0, 8), (8, 3), ValueError, r"at least one entry along each axis; got \[0, 8\]"),
    ],
)
def test_shapes_that_do_not_fit_are_named(x, w, error, words):
    with pytest.raises(error, match=words):
        project(torch.ones(x), torch.ones(w))


def test_integers_are_refused_with_what_to_write():
    with pytest.raises(TypeError, match=r"x must hold float16.* got int64\. Write x\.float\(\)"):
        project(torch.ones(2, 2, dtype=torch.int64), torch.ones(2, 2))


def test_a_matrix_with_nan_is_named_with_its_place():
    w = torch.ones(2, 2)
    w[1, 0] = float("nan")
    with pytest.raises(ValueError, match=r"w must hold finite numbers.*nan at index \[1, 0\]"):
        project(torch.ones(2, 2), w)


def test_a_product_too_large_for_its_dtype_is_refused():
    big = torch.full((1, 2), 300.0, dtype=torch.float16)
    with pytest.raises(ValueError, match=r"the projections overflow float16: x and w are finite"):
        project(big, big.T)

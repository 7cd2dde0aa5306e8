import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import merge_heads, split_heads


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

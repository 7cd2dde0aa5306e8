import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import causal_mask, masks, padding_mask


def test_four_positions_have_one_two_three_and_four_legal_keys():
    allowed = causal_mask(4)
    assert allowed.dtype == torch.bool
    assert allowed.sum(-1).tolist() == [1, 2, 3, 4]


def test_it_is_the_lower_triangle_with_its_diagonal():
    assert causal_mask(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_it_blocks_exactly_what_the_article_fills():
    blocked = torch.ones(5, 5, dtype=torch.bool).triu(1)
    assert torch.equal(causal_mask(5), ~blocked)


def test_two_queries_and_five_keys_need_an_alignment():
    upper = causal_mask(2, 5, align="upper_left").int().tolist()
    lower = causal_mask(2, 5, align="lower_right").int().tolist()
    assert upper == [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]]
    assert lower == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    with pytest.raises(ValueError, match=r"align must be given when T_q and T_k differ; got T_q 2"):
        causal_mask(2, 5)


def test_with_more_queries_than_keys_lower_right_leaves_the_first_rows_empty():
    assert causal_mask(5, 2, align="lower_right").sum(-1).tolist() == [0, 0, 0, 1, 2]
    assert causal_mask(5, 2, align="upper_left").sum(-1).tolist() == [1, 2, 2, 2, 2]


@given(st.integers(1, 7), st.integers(1, 7), st.sampled_from(["upper_left", "lower_right"]))
def test_the_index_rule_holds_for_every_pair(T_q, T_k, align):
    allowed = causal_mask(T_q, T_k, align=align)
    shift = T_k - T_q if align == "lower_right" else 0
    assert allowed.tolist() == [[j <= i + shift for j in range(T_k)] for i in range(T_q)]


def test_the_mask_is_made_on_the_device_asked_for():
    assert causal_mask(2, device="meta").device.type == "meta"


def test_an_unknown_alignment_lists_the_two_there_are():
    with pytest.raises(ValueError, match="align must be 'upper_left' or 'lower_right'; got 'left'"):
        causal_mask(2, align="left")


@pytest.mark.parametrize(
    ("length", "error", "words"),
    [
        (0, ValueError, "T_q must be at least 1; got 0"),
        (-2, ValueError, "T_q must be at least 1; got -2"),
        (2.0, TypeError, "T_q must be a whole number; got 2.0 of type float"),
        (True, TypeError, "T_q must be a whole number; got True"),
    ],
)
def test_a_length_that_is_no_count_is_refused(length, error, words):
    with pytest.raises(error, match=words):
        causal_mask(length)


def test_padding_allows_the_real_keys_of_each_sequence():
    allowed = padding_mask([1, 3, 0], 3)
    assert allowed.shape == (3, 1, 3) and allowed.dtype == torch.bool
    assert allowed[:, 0].int().tolist() == [[1, 0, 0], [1, 1, 1], [0, 0, 0]]


def test_padding_and_the_causal_boundary_combine_with_and():
    both = padding_mask([2], 3) & causal_mask(3)
    assert both.int().tolist() == [[[1, 0, 0], [1, 1, 0], [1, 1, 0]]]


@given(st.lists(st.integers(0, 6), min_size=1, max_size=4))
def test_each_row_counts_its_length(lengths):
    assert padding_mask(torch.tensor(lengths), 6).sum(-1).flatten().tolist() == lengths


@pytest.mark.parametrize(
    ("lengths", "error", "words"),
    [
        ([-1], ValueError, r"lengths must lie between 0 and T_k = 3; got \[-1\]"),
        ([4], ValueError, r"lengths must lie between 0 and T_k = 3; got \[4\]"),
        ([1.0], TypeError, r"lengths must be whole numbers; got float32"),
        ([True], TypeError, r"lengths must be whole numbers; got bool"),
        (2, TypeError, r"one whole number per sequence; write \[2\]"),
        ([], ValueError, r"lengths must have shape \[B\]"),
        ([[1]], ValueError, r"lengths must have shape \[B\], one per sequence; got \[1, 1\]"),
        ("ab", TypeError, r"lengths must be whole numbers"),
        ([[1], [1, 2]], TypeError, r"lengths must be whole numbers"),
        (
            [2**70],
            ValueError,
            r"lengths must lie .* got \[1180591620717411303424",
        ),
        (np.array([2**64 - 1], np.uint64), ValueError, r"got \[18446744073709551615\]"),
        (
            torch.tensor([2**64 - 1], dtype=torch.uint64),
            ValueError,
            r"got \[18446744073709551615\]",
        ),
        (np.ma.array([1, 2], mask=[0, 1]), TypeError, r"lengths must be whole numbers.*\[1, --\]"),
    ],
)
def test_lengths_that_cannot_be_lengths_are_refused(lengths, error, words):
    with pytest.raises(error, match=words):
        padding_mask(lengths, 3)


def test_masks_are_reachable_as_attn_lab_masks():
    assert masks.causal_mask is causal_mask and masks.padding_mask is padding_mask


def test_lengths_of_any_whole_number_type_are_read():
    for dtype in (torch.uint8, torch.uint16, torch.int32):
        assert torch.equal(padding_mask(torch.tensor([1], dtype=dtype), 3), padding_mask([1], 3))


@pytest.mark.parametrize(
    "lengths",
    [
        np.array([3, 2, 1])[::-1],
        np.array([9, 1, 9, 2, 9, 3])[1::2],
        *(np.array([1, 2, 3], order + kind) for order in "<>" for kind in ("i2", "i8", "u4", "u8")),
        np.array([1, 2, 3], "i1"),
        np.array([1, 2, 3], object),
        [np.array(1), np.int8(2), torch.tensor(3)],
        range(1, 4),
        (1, 2, 3),
        torch.tensor([1, 2, 3], dtype=torch.uint64),
    ],
    ids=repr,
)
def test_whole_numbers_are_read_however_they_lie_in_memory(lengths):
    assert padding_mask(lengths, 3).sum(-1).flatten().tolist() == [1, 2, 3]


@pytest.mark.parametrize("n", [np.int8(3), np.uint64(3), np.array(3, ">i2"), torch.tensor(3)])
def test_a_count_of_any_whole_number_type_is_a_count(n):
    assert causal_mask(n).shape == (3, 3)


@pytest.mark.parametrize("n", [np.True_, torch.tensor(True), np.array([3]), 3.0])
def test_what_is_no_count_is_refused(n):
    with pytest.raises(TypeError, match="T_q must be a whole number; got"):
        causal_mask(n)

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import causal_mask, masks, padding_mask

INF = math.inf


def test_zero_leaves_and_minus_infinity_blocks():
    mask = torch.tensor([[0.0, -INF], [0.0, 0.0]])
    assert masks.from_additive(mask).tolist() == [[True, False], [True, True]]
    assert torch.equal(masks.to_additive(causal_mask(2)), mask)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_the_numbers_that_stand_for_minus_infinity_block_in_every_dtype(dtype):
    lowest = torch.finfo(dtype).min
    mask = torch.tensor([0, -10_000, lowest, -INF], dtype=dtype)
    assert masks.from_additive(mask).tolist() == [True, False, False, False]


def test_ten_thousand_still_blocks_after_a_rounding_to_bfloat16():
    rounded = torch.tensor([-10_000.0], dtype=torch.bfloat16).float()
    assert rounded.item() == -9984 and masks.from_additive(rounded).tolist() == [False]


def test_two_added_masks_that_overflow_still_block():
    # in float16 the minimum plus -16 is -inf, and plus -15 it stays the minimum
    lowest = torch.tensor([torch.finfo(torch.float16).min], dtype=torch.float16)
    for other in (-15.0, -16.0, lowest.item()):
        assert masks.from_additive(lowest + other).tolist() == [False]


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_going_out_and_coming_back_changes_nothing(open_):
    allowed = torch.tensor(open_)[None]
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        assert torch.equal(masks.from_additive(masks.to_additive(allowed, dtype=dtype)), allowed)


@pytest.mark.parametrize("bias", [-0.5, 2.0, INF, math.nan, -8000.0])
def test_a_bias_is_refused_with_the_pieces_that_take_it(bias):
    with pytest.raises(ValueError, match=rf"1 other numbers, the first is {bias:g}\. A bias"):
        masks.from_additive(torch.tensor([[0.0, bias]]))


def test_a_mask_of_ones_and_zeros_is_not_taken_for_an_additive_one():
    with pytest.raises(ValueError, match=r"first is 1\. If 1 means real.*from_attention_mask"):
        masks.from_additive(torch.ones(3, 3).tril())


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64])
def test_integers_are_refused_as_an_additive_mask(dtype):
    with pytest.raises(TypeError, match=r"float tensor of 0 and -inf.*from_attention_mask.*from_b"):
        masks.from_additive(torch.zeros(2, 2, dtype=dtype))


def test_a_dtype_without_infinity_is_refused():
    with pytest.raises(TypeError, match=r"dtype must be a float dtype.*got torch\.int64"):
        masks.to_additive(causal_mask(2), dtype=torch.int64)


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32, torch.bool, torch.uint8])
def test_a_tokenizers_mask_becomes_a_padding_mask(dtype):
    mask = torch.tensor([[1, 0, 0], [1, 1, 1]]).to(dtype)
    assert torch.equal(masks.from_attention_mask(mask), padding_mask([1, 3], 3))


def test_left_padding_and_the_causal_mask_leave_the_padded_rows_empty():
    allowed = masks.from_attention_mask(torch.tensor([[0, 0, 1, 1]])) & causal_mask(4)
    assert allowed[0].any(-1).tolist() == [False, False, True, True]


def test_a_tokenizers_mask_with_more_axes_keeps_them():
    mask = torch.ones(2, 1, 3, 3, dtype=torch.int64).tril()
    assert torch.equal(masks.from_attention_mask(mask), causal_mask(3).expand(2, 1, 3, 3))


@pytest.mark.parametrize("wrong", [2, -1])
def test_other_numbers_than_0_and_1_are_refused(wrong):
    with pytest.raises(ValueError, match=rf"only; got 1 other numbers, the first is {wrong}\."):
        masks.from_attention_mask(torch.tensor([[1, wrong]]))


def test_an_additive_mask_is_not_taken_for_a_tokenizers_one():
    with pytest.raises(ValueError, match=r"the first is -inf\. For 0 and -inf write from_additive"):
        masks.from_attention_mask(torch.tensor([[0.0, -INF]]))


def test_a_mask_of_one_sequence_needs_its_batch_axis():
    with pytest.raises(ValueError, match=r"mask needs shape \[B, T_k\]; got \[2\].*mask\[None\]"):
        masks.from_attention_mask(torch.tensor([1, 0]))

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from attn_lab import causal_mask, masks, padding_mask

INF = math.inf


def test_the_future_blocked_is_the_causal_mask():
    blocked = torch.ones(4, 4, dtype=torch.bool).triu(1)
    assert torch.equal(masks.from_blocked(blocked), causal_mask(4))
    assert torch.equal(masks.to_blocked(causal_mask(4)), blocked)


def test_a_key_padding_mask_becomes_one_row_of_keys_per_sequence():
    padding = torch.tensor([[False, True, True], [False, False, False]])
    assert torch.equal(masks.from_blocked(key_padding_mask=padding), padding_mask([1, 3], 3))


def test_both_masks_together_allow_what_both_leave_open():
    blocked = torch.ones(2, 2, dtype=torch.bool).triu(1)
    padding = torch.tensor([[True, False], [False, False]])
    both = masks.from_blocked(blocked, key_padding_mask=padding)
    assert both.int().tolist() == [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]


def test_a_mask_per_sequence_is_repeated_for_neighbouring_heads():
    allowed = padding_mask([1, 2], 2).expand(2, 2, 2)
    blocked = masks.to_blocked(allowed, n_heads=3)
    assert blocked.shape == (6, 2, 2)
    assert [blocked[i].tolist() for i in range(6)] == [
        *[[[False, True], [False, True]]] * 3,
        *[[[False, False], [False, False]]] * 3,
    ]


def test_torchs_module_reads_the_mask_as_it_was_meant():
    torch.manual_seed(0)
    module = nn.MultiheadAttention(6, 3, batch_first=True, dtype=torch.float64)
    x = torch.randn(2, 4, 6, dtype=torch.float64)
    allowed = causal_mask(4) & padding_mask([4, 2], 4)
    weights = module(
        x, x, x, attn_mask=masks.to_blocked(allowed, n_heads=3), average_attn_weights=False
    )[1]
    assert torch.equal(weights != 0, allowed[:, None].expand(2, 3, 4, 4))


def test_going_out_to_blocked_and_coming_back_changes_nothing():
    allowed = torch.rand(3, 2, 4, 5, generator=torch.Generator().manual_seed(0)) < 0.5
    assert torch.equal(masks.from_blocked(masks.to_blocked(allowed)), allowed)


@pytest.mark.parametrize("convert", [masks.from_blocked, masks.to_blocked])
def test_blocked_numbers_are_refused_and_the_converters_for_them_named(convert):
    with pytest.raises(TypeError, match=r"Boolean tensor; got float32.*from_additive.*from_atten"):
        convert(torch.zeros(2, 2))


def test_no_mask_at_all_is_refused():
    with pytest.raises(ValueError, match="attn_mask or key_padding_mask must be given"):
        masks.from_blocked()


def test_a_padding_mask_of_one_sequence_needs_its_batch_axis():
    with pytest.raises(ValueError, match=r"key_padding_mask needs .* got \[2, 1, 3\]"):
        masks.from_blocked(key_padding_mask=torch.zeros(2, 1, 3, dtype=torch.bool))


def test_heads_that_do_not_match_are_refused():
    allowed = torch.ones(2, 2, 3, 3, dtype=torch.bool)
    with pytest.raises(ValueError, match=r"allowed needs .*\[B, 3, T_q, T_k\].*got \[2, 2"):
        masks.to_blocked(allowed, n_heads=3)


def test_padding_goes_with_the_sequences_also_where_there_are_as_many_heads():
    nothing = torch.zeros(2, 2, 1, 3, dtype=torch.bool)  # two sequences, two heads
    padding = torch.tensor([[False, False, False], [False, False, True]])
    both = masks.from_blocked(nothing, key_padding_mask=padding)
    assert both[0].all() and not both[1, :, :, 2].any() and both[1, :, :, :2].all()


def test_a_mask_per_sequence_and_head_in_one_axis_is_laid_out_as_torch_lays_it():
    per_head = torch.zeros(6, 2, 2, dtype=torch.bool)
    per_head[4] = True  # sequence 2 of 2, head 2 of 3
    padding = torch.tensor([[False, True], [False, False]])
    both = masks.from_blocked(per_head, key_padding_mask=padding)
    assert both.shape == (2, 3, 2, 2)
    assert not both[1, 1].any() and both[1, 0].all() and both[0, :, :, 0].all()


@pytest.mark.parametrize("shape", [(2, 4, 3, 5), (7, 3, 5), (3, 7), (1, 1, 4, 3, 5)])
def test_an_attention_mask_that_does_not_go_with_the_padding_is_refused(shape):
    padding = torch.zeros(3, 5, dtype=torch.bool)
    with pytest.raises(ValueError, match=r"attn_mask needs shape .* to go with key_padding_mask"):
        masks.from_blocked(torch.zeros(shape, dtype=torch.bool), key_padding_mask=padding)


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
def test_going_out_to_numbers_and_coming_back_changes_nothing(open_):
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

import pytest
import torch
from torch import nn

from attn_lab import causal_mask, masks, padding_mask


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


def test_going_out_and_coming_back_changes_nothing():
    allowed = torch.rand(3, 2, 4, 5, generator=torch.Generator().manual_seed(0)) < 0.5
    assert torch.equal(masks.from_blocked(masks.to_blocked(allowed)), allowed)


@pytest.mark.parametrize("convert", [masks.from_blocked, masks.to_blocked])
def test_numbers_are_refused_and_the_converters_for_them_named(convert):
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

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import causal_mask, padding_mask
from attn_lab.core.fast.row_blocks import Reach, is_causal, look_at_blocks, merge, reaches


def look(allowed, T_q, T_k, size):
    found = look_at_blocks(allowed, T_q, T_k, size).tolist()
    return found, reaches(found, T_q, T_k, size)


def test_causal_blocks_of_two_reach_two_four_and_five_keys():
    _, blocks = look(causal_mask(5), 5, 5, 2)
    assert blocks == [
        Reach(slice(0, 2), slice(0, 2), 1),
        Reach(slice(2, 4), slice(0, 4), 3),
        Reach(slice(4, 5), slice(0, 5), 5),
    ]


def test_padding_reaches_the_longest_sequence_and_is_open_to_the_shortest():
    _, blocks = look(padding_mask([2, 3], 6), 4, 6, 4)
    assert blocks == [Reach(slice(0, 4), slice(0, 3), 2)]


def test_without_a_mask_everything_is_open():
    assert reaches(None, 3, 4, 2) == [
        Reach(slice(0, 2), slice(0, 4), 4),
        Reach(slice(2, 3), slice(0, 4), 4),
    ]


def test_a_true_that_is_stored_as_another_byte_than_1_is_true():
    allowed = torch.tensor([[1, 2, 0]], dtype=torch.uint8).view(torch.bool)
    _, blocks = look(allowed, 1, 3, 1)
    assert blocks == [Reach(slice(0, 1), slice(0, 2), 2)]


def test_a_block_with_nothing_to_read_reaches_nothing():
    allowed = torch.tensor([[False, False], [False, True]])
    _, blocks = look(allowed, 2, 2, 1)
    assert blocks == [Reach(slice(0, 1), slice(0, 0), 0), Reach(slice(1, 2), slice(1, 2), 2)]


@given(
    st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 4)),
    st.sampled_from([(), (2,), (2, 1), (1, 3)]),
    st.floats(0, 1),
    st.integers(0, 2**16),
)
def test_the_reach_covers_every_open_key_and_no_closed_one_before_open_to(
    sizes, leading, share, seed
):
    T_q, T_k, size = sizes
    g = torch.Generator().manual_seed(seed)
    allowed = torch.rand(*leading, T_q, T_k, generator=g) < share
    for rows, keys, open_to in look(allowed, T_q, T_k, size)[1]:
        block = allowed[..., rows, :].reshape(-1, T_k)
        some, every = block.any(0), block.all(0)
        assert some.nonzero().flatten().tolist()[:1] == [keys.start] * (keys.stop > 0)
        assert not some[keys.stop :].any()
        assert every[keys.start : open_to].all()
        assert open_to in (keys.stop, *(~every).nonzero().flatten().tolist())


@pytest.mark.parametrize("T", [1, 2, 5, 6])
@pytest.mark.parametrize("size", [1, 2, 4])
def test_only_the_causal_mask_is_taken_for_causal(T, size):
    assert is_causal(*look(causal_mask(T), T, T, size))
    assert is_causal(*look(causal_mask(T).T.contiguous().T, T, T, size))  # laid out by column
    for i in range(T):
        for j in range(T):
            allowed = causal_mask(T)
            allowed[i, j] ^= True
            assert not is_causal(*look(allowed, T, T, size))


def test_a_slice_of_a_larger_causal_mask_is_causal():
    allowed = causal_mask(9)[3:7, 3:7]
    assert is_causal(*look(allowed, 4, 4, 2))


def test_rectangles_and_masks_per_head_are_not_taken_for_causal():
    assert not is_causal(*look(causal_mask(4, 6, align="upper_left"), 4, 6, 2))
    assert not is_causal(*look(causal_mask(4)[None], 4, 4, 2))


def test_merged_blocks_reach_what_their_parts_reach():
    _, blocks = look(causal_mask(5), 5, 5, 1)
    assert merge(blocks, 2) == [
        Reach(slice(0, 2), slice(0, 2), 1),
        Reach(slice(2, 4), slice(0, 4), 3),
        Reach(slice(4, 5), slice(0, 5), 5),
    ]


def test_a_merged_block_with_an_empty_part_or_another_start_is_open_to_nothing():
    allowed = torch.tensor([[False, False], [True, True], [False, True], [True, True]])
    _, blocks = look(allowed, 4, 2, 1)
    assert merge(blocks, 2) == [
        Reach(slice(0, 2), slice(0, 2), 0),
        Reach(slice(2, 4), slice(0, 2), 0),
    ]

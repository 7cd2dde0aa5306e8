import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_lab.explore.tile_record import read_in_tiles, row_in_tiles

SCORES = torch.tensor([1.0, 3.0, 2.0, 5.0], dtype=torch.float64)
V = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [4.0, -1.0]], dtype=torch.float64)
ALL = torch.ones(4, dtype=torch.bool)


def test_the_row_of_1_3_2_5_in_two_tiles_worked_by_hand():
    first, second = read_in_tiles(SCORES, V, ALL, 2)
    assert (first.maximum, first.total) == (3, pytest.approx(math.exp(-2) + 1))
    assert second.maximum == 5
    assert second.factor == pytest.approx(math.exp(3 - 5))
    assert second.total == pytest.approx(first.total * second.factor + math.exp(-3) + 1)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9])
def test_the_last_output_is_the_softmax_of_the_whole_row(size):
    last = read_in_tiles(SCORES, V, ALL, size)[-1]
    assert torch.allclose(last.output(), SCORES.softmax(0) @ V, atol=1e-14)


def test_a_tile_that_may_not_be_read_changes_nothing_and_makes_no_nan():
    allowed = torch.tensor([False, False, True, True])
    blocked, read = read_in_tiles(SCORES, V, allowed, 2)
    assert blocked.skipped and blocked.maximum == -math.inf and blocked.output() is None
    assert blocked.scores == [None, None]
    assert torch.allclose(read.output(), SCORES[2:].softmax(0) @ V[2:])


def test_a_skipped_tile_in_the_middle_keeps_what_was_there():
    allowed = torch.tensor([True, True, False, False])
    first, second = read_in_tiles(SCORES, V, allowed, 2)
    assert (second.maximum, second.factor, second.total) == (first.maximum, 1.0, first.total)


def test_an_empty_row_gives_no_output():
    assert read_in_tiles(SCORES, V, ~ALL, 3)[-1].output() is None


def test_the_masked_row_reads_its_own_past_only():
    x = torch.arange(8, dtype=torch.float64).view(4, 2) / 5
    steps = row_in_tiles(x, x, x, 1, True, 2, None)
    assert not steps[0].skipped and steps[1].skipped
    open_steps = row_in_tiles(x, x, x, 1, False, 2, None)
    assert not any(step.skipped for step in open_steps)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(-700, 700), st.booleans()), min_size=1, max_size=9),
    st.integers(1, 9),
)
def test_any_row_in_any_tiles_equals_the_masked_softmax(pairs, size):
    scores = torch.tensor([score for score, _ in pairs], dtype=torch.float64)
    allowed = torch.tensor([ok for _, ok in pairs])
    v = torch.arange(2 * len(pairs), dtype=torch.float64).view(-1, 2)
    output = read_in_tiles(scores, v, allowed, size)[-1].output()
    if not allowed.any():
        assert output is None
    else:
        expected = scores.masked_fill(~allowed, -math.inf).softmax(0) @ v
        assert torch.allclose(output, expected, atol=1e-9)

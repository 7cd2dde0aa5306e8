import math

import pytest
import torch

from attn_lab import causal_mask, padding_mask
from attn_lab.core.checks.fit import Inputs
from attn_lab.core.fast.fused import (
    Lengths,
    count_small_rows,
    count_small_rows_under,
    lengths_of,
)


def sizes(q, k, v=(1.0,) * 4):
    return Lengths(*(torch.tensor([x]) for x in (q, k, v)))


def test_a_length_is_that_of_a_row_in_float32():
    x = torch.tensor([[3.0, 4.0], [0.0, -2.0]])
    given = Inputs(x, x, x.half(), None, 1.0, 1.0)
    assert [each.tolist() for each in lengths_of(given)] == [[5, 2]] * 3
    assert lengths_of(given).v.dtype == torch.float32


@pytest.mark.parametrize("size", [0.0, 1e-45, 1e-30, 1e-19, 1.0])
def test_a_length_covers_every_number_of_its_row(size):
    x = torch.full((2, 3), size)  # the squares of the smaller ones are 0 in float32
    lengths = lengths_of(Inputs(x, x, x, None, 1.0, 1.0))
    assert all((each.double() >= 3**0.5 * size * (1 - 1e-6)).all() for each in lengths)


@pytest.mark.parametrize(
    ("q", "k", "causal", "without"),
    [
        ([1, 1, 1, 1], [1, 1, 1, 1], 4, 4),
        ([1, 1, 99, 1], [1, 1, 1, 1], 2, 2),  # its own row is large, and those after it
        ([1, 1, 1, 1], [1, 99, 1, 1], 1, 0),  # a large key counts from its own position on
        ([1, 1, 1, 1], [1, 1, 1, 99], 3, 0),
        ([0.1, 1, 1, 1], [1, 99, 1, 1], 1, 1),  # a short query makes the scores small
        ([1, 1, 1, 1], [math.inf, 1, 1, 1], 0, 0),
    ],
)
def test_a_row_is_small_as_long_as_nothing_before_it_is_large(q, k, causal, without):
    q, k = [float(x) for x in q], [float(x) for x in k]
    assert count_small_rows(sizes(q, k), 1.0).tolist() == [causal, without]
    assert count_small_rows(sizes(q, k), -1.0).tolist() == [causal, without]
    under = count_small_rows_under(causal_mask(4), sizes(q, k), 1.0)
    assert under[0].item() == causal
    assert count_small_rows_under(causal_mask(4), sizes(q, k), -1.0)[0].item() == causal
    assert under[1].item() == max(1, causal)


def test_the_factor_counts():
    assert count_small_rows(sizes([1.0] * 4, [1.0] * 4), 100.0).tolist() == [0, 0]


def test_values_whose_sum_could_overflow_are_large():
    v = (1.0, 1e38, 1.0, 1.0)
    assert count_small_rows(sizes([1.0] * 4, [1.0] * 4, v), 1.0).tolist() == [1, 0]


def test_rectangles_have_no_square_causal_mask():
    size = Lengths(torch.ones(1, 2), torch.ones(1, 3), torch.ones(1, 3))
    assert count_small_rows(size, 1.0).tolist() == [0, 2]


def test_a_key_that_nobody_reads_does_not_count():
    size = sizes([1.0] * 4, [1.0, 1.0, math.inf, math.nan])
    assert count_small_rows_under(padding_mask([2], 4), size, 1.0).tolist() == [4, 2]
    on_the_left = torch.tensor([[False, False, True, True]])
    size = sizes([1.0] * 4, [math.inf, 99.0, 1.0, 1.0], (math.inf, 1.0, 1.0, 1.0))
    assert count_small_rows_under(on_the_left, size, 1.0).tolist() == [4, 4]


def test_a_row_that_reads_nothing_is_small():
    allowed = torch.tensor([[False] * 4, [True] * 4, [True] * 4, [True] * 4])
    size = sizes([1.0] * 4, [1.0, 1.0, 1.0, 99.0])
    assert count_small_rows_under(allowed, size, 1.0)[0].item() == 1
    size = sizes([1.0] * 4, [99.0, 1.0, 1.0, 1.0])
    assert count_small_rows_under(allowed, size, 1.0)[0].item() == 1

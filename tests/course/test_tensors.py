import math

import pytest
import torch

from attn_lab.course.tensors import one_row, places

# Causal weights and outputs, worked out by hand: one step in the dot product halves the weight.
CAUSAL = {
    0.25: [[1, 0, 0, 0], [0.944, 0.056, 0, 0], [0.056, 0.941, 0.003, 0], [0.941, 0, 0.056, 0.003]],
    1.0: [[1, 0, 0, 0], [0.67, 0.33, 0, 0], [0.284, 0.576, 0.14, 0], [0.539, 0.065, 0.266, 0.131]],
    4.0: [[1, 0, 0, 0], [0.544, 0.456, 0, 0], [0.33, 0.394, 0.276, 0], [0.32, 0.188, 0.268, 0.224]],
}
OUTPUT = {
    0.25: [[10, 0], [9.44, 1.12], [0.69, 18.85], [11.73, 0.72]],
    1.0: [[10, 0], [6.70, 6.60], [8.44, 12.92], [19.94, 10.50]],
    4.0: [[10, 0], [5.44, 9.12], [14.36, 10.64], [20.64, 17.66]],
}


def weights(q, k, temperature, causal):
    scores = q @ k.T / math.sqrt(2) / temperature
    if causal:
        scores = scores.masked_fill(torch.ones(4, 4).triu(1).bool(), -math.inf)
    return scores.softmax(dim=-1)


def test_one_row_is_the_row_worked_by_hand():
    q, k, v = one_row()
    row = (q @ k.T / math.sqrt(2)).softmax(dim=-1)
    assert [round(x, 3) for x in row[0].tolist()] == [0.670, 0.330]
    assert [round(x, 2) for x in (row @ v)[0].tolist()] == [6.70, 6.60]


def test_the_places_have_whole_dot_products():
    q, k, _ = places()
    assert (q @ k.T).tolist() == [[0, -1, 1, -2], [1, 0, -2, 3], [0, 1, -1, 2], [1, -2, 0, -1]]


@pytest.mark.parametrize("temperature", [0.25, 1.0, 4.0])
def test_the_places_give_the_weights_and_meeting_points_that_the_lesson_states(temperature):
    q, k, v = places()
    a = weights(q, k, temperature, causal=True)
    assert torch.allclose(a, torch.tensor(CAUSAL[temperature]).double(), atol=6e-4)
    assert torch.allclose(a @ v, torch.tensor(OUTPUT[temperature]).double(), atol=6e-3)


def test_position_two_is_the_row_of_notebook_01():
    q, k, v = places()
    row = one_row()
    assert torch.equal(q[1:2], row.q) and torch.equal(k[:2], row.k) and torch.equal(v[:2], row.v)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("temperature", [0.25, 1.0, 4.0])
def test_no_printed_digit_sits_on_a_rounding_tie(temperature, causal):
    q, k, v = places()
    a = weights(q, k, temperature, causal)
    for numbers, places_printed in ((a, 2), (a, 3), (a @ v, 2), (a @ v, 3)):
        steps = numbers * 10**places_printed
        # An exact 0.5 would round by accident; exact whole steps are no tie.
        assert (steps - steps.floor() - 0.5).abs().min() > 1e-3


def test_everything_is_float64():
    assert {x.dtype for x in (*one_row(), *places())} == {torch.float64}

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import masked_softmax

F64 = torch.float64


def row(*scores, dtype=F64):
    return torch.tensor(scores, dtype=dtype)


def test_the_article_row_weighs_0_670_and_0_330():
    weights = masked_softmax(row(1 / math.sqrt(2), 0))
    assert weights.tolist() == pytest.approx([0.669761549, 0.330238451], abs=1e-9)


def test_a_single_legal_key_gets_everything_at_every_temperature():
    allowed = torch.tensor([True, False, False, False])
    for temperature in (0.05, 1, 4, 1000):
        weights = masked_softmax(row(0, -1, 1, -2), allowed, temperature=temperature)
        assert weights.tolist() == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("temperature", "top"), [(0.1, 0.99995), (1, 0.66524), (2, 0.50648), (10, 0.36717)]
)
def test_more_temperature_is_flatter(temperature, top):
    assert masked_softmax(row(2, 1, 0), temperature=temperature)[0].item() == pytest.approx(
        top, abs=5e-6
    )


def test_a_score_of_zero_is_read_and_a_blocked_one_is_not():
    weights = masked_softmax(row(0, 0, 0), torch.tensor([True, True, False]))
    assert weights.tolist() == [0.5, 0.5, 0]


def test_a_legal_score_however_low_wins_over_a_blocked_one():
    allowed = torch.tensor([True, False])
    for temperature in (1, 1e9):
        weights = masked_softmax(row(-1e12, 0), allowed, temperature=temperature)
        assert weights.tolist() == [1, 0]


def test_it_agrees_with_numpy_in_float64():
    g = torch.Generator().manual_seed(0)
    scores = torch.randn(2, 3, 4, 5, generator=g, dtype=F64) * 3
    allowed = torch.rand(2, 1, 4, 5, generator=g) < 0.6
    allowed[..., 0] = True
    parts = np.where(allowed.numpy(), np.exp(scores.numpy() / 1.7), 0)
    expected = parts / parts.sum(-1, keepdims=True)
    weights = masked_softmax(scores, allowed, temperature=1.7)
    np.testing.assert_allclose(weights, expected, rtol=0, atol=1e-15)


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.floats(-100, 100))
def test_a_constant_on_every_score_changes_nothing(scores, shift):
    weights = masked_softmax(row(*scores))
    torch.testing.assert_close(masked_softmax(row(*scores) + shift), weights, rtol=0, atol=1e-13)


@given(
    st.lists(st.tuples(st.floats(-1e6, 1e6), st.booleans()), min_size=1, max_size=6),
    st.floats(1e-3, 1e3),
)
def test_rows_sum_to_one_or_zero_and_blocked_weights_are_exactly_zero(keys, temperature):
    allowed = torch.tensor([is_open for _, is_open in keys])
    scores = row(*[score for score, _ in keys])
    weights = masked_softmax(scores, allowed, temperature=temperature, fully_masked="zero")
    assert weights.sum().item() == pytest.approx(float(allowed.any()), abs=1e-14)
    assert (weights[~allowed] == 0).all() and (weights >= 0).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_scores_give_float32_weights(dtype):
    weights = masked_softmax(row(0.5, 0, dtype=dtype))
    assert weights.dtype == torch.float32
    assert weights.sum().item() == pytest.approx(1, abs=1e-7)


def test_huge_scores_give_a_clear_winner():
    top = torch.finfo(F64).max
    assert masked_softmax(row(top, 0, -top)).tolist() == [1, 0, 0]


@pytest.mark.parametrize("dtype", [torch.float32, F64])
@pytest.mark.parametrize("temperature", [5e-324, 1e-60, 1e-40, 1e-31, 1e-30])
def test_the_smallest_temperatures_pick_the_winner(dtype, temperature):
    weights = masked_softmax(row(2, 1, 0, dtype=dtype), temperature=temperature)
    assert weights.tolist() == [1, 0, 0]


@pytest.mark.parametrize("dtype", [torch.float32, F64])
def test_the_largest_temperature_is_even(dtype):
    weights = masked_softmax(row(2, 1, 0, dtype=dtype), temperature=1.7e308)
    assert weights.tolist() == pytest.approx([1 / 3] * 3, abs=1e-7)


def test_scores_and_temperature_at_the_edge_of_the_range_stay_exact():
    top = torch.finfo(F64).max
    weights = masked_softmax(row(top, 0, -top), temperature=top)
    e = math.e
    total = e + 1 + 1 / e
    assert weights.tolist() == pytest.approx([e / total, 1 / total, 1 / e / total], abs=1e-12)


def test_an_empty_row_is_refused_by_name():
    allowed = torch.tensor([[True, True], [False, False], [True, False]])
    with pytest.raises(
        ValueError, match=r"1 fully masked row: query 2 \(index 1\)\. Mend the mask"
    ):
        masked_softmax(torch.zeros(3, 2), allowed)


def test_empty_rows_become_zero_and_the_others_stay_as_they_were():
    allowed = torch.tensor([[True, True], [False, False], [True, False]])
    scores = torch.tensor([[1.0, 1.0], [3.0, -4.0], [2.0, 9.0]])
    weights = masked_softmax(scores, allowed, fully_masked="zero")
    assert weights.tolist() == [[0.5, 0.5], [0, 0], [1, 0]]


def test_the_gradient_of_an_empty_row_is_zero_and_never_nan():
    allowed = torch.tensor([[True, True], [False, False]])
    scores = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    weights = masked_softmax(scores, allowed, fully_masked="zero")
    (weights * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    assert scores.grad is not None
    assert scores.grad[1].tolist() == [0, 0] and scores.grad[0].abs().min() > 0.1


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_what_is_asked_of_a_blocked_weight_does_not_reach_the_scores(temperature):
    scores = torch.tensor([[0.5, -1.0, 2.0], [1.0, 0.0, -1.0]], requires_grad=True)
    allowed = torch.tensor([[True, True, False], [False, False, False]])

    def gradient(of, *allowed):
        weights = masked_softmax(of, *allowed, temperature=temperature, fully_masked="zero")
        return torch.autograd.grad(torch.special.entr(weights).sum(), scores)[0]

    entropy = gradient(scores, allowed)  # asks for infinity where a weight is 0
    torch.testing.assert_close(entropy[:1], gradient(scores[:1, :2])[:1] * allowed[:1])
    assert entropy[1].eq(0).all()


def test_no_step_of_the_backward_pass_makes_a_nan():
    allowed = torch.tensor([[True, True], [False, False]])
    scores = torch.zeros(2, 2, requires_grad=True)
    with pytest.warns(UserWarning, match="Anomaly Detection"), torch.autograd.detect_anomaly():
        masked_softmax(scores, allowed, fully_masked="zero").sum().backward()


# torch itself uses a deprecated part of torch when it differentiates forwards
@pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")
@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_first_and_second_derivatives_are_right_with_an_empty_row(temperature):
    allowed = torch.tensor([[True, False, True], [False] * 3, [True, True, True]])
    g = torch.Generator().manual_seed(0)
    scores = torch.randn(3, 3, generator=g, dtype=F64, requires_grad=True)

    def weigh(scores):
        return masked_softmax(scores, allowed, temperature=temperature, fully_masked="zero")

    assert torch.autograd.gradcheck(weigh, scores, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(weigh, scores)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_scores_that_are_not_finite_are_refused_even_behind_the_mask(bad):
    with pytest.raises(
        ValueError, match=rf"scores must hold finite.*first is {bad} at index \[1\]"
    ):
        masked_softmax(row(0, bad), torch.tensor([True, False]))


@pytest.mark.parametrize("temperature", [0, -1, math.nan, math.inf])
def test_a_temperature_that_is_not_finite_and_above_zero_is_refused(temperature):
    with pytest.raises(ValueError, match="temperature must be a finite number above 0; got"):
        masked_softmax(row(1, 2), temperature=temperature)


def test_a_word_for_fully_masked_that_is_unknown_is_refused():
    with pytest.raises(ValueError, match="fully_masked must be 'raise' or 'zero'; got 'nan'"):
        masked_softmax(row(1, 2), fully_masked="nan")


def test_a_temperature_beyond_every_float_is_refused_as_not_finite():
    with pytest.raises(ValueError, match=r"temperature must be a finite number above 0; got inf"):
        masked_softmax(torch.zeros(1, 2), temperature=10**400)

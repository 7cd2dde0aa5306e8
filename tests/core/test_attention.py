import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import attention, causal_mask, masked_softmax, scaled_scores
from tests.helpers.tensors import random

Q = torch.tensor([[1.0, 0.0]])
K = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
V = torch.tensor([[10.0, 0.0], [0.0, 20.0]])
F64 = torch.float64


def test_the_article_row_reads_6_70_and_6_60():
    output, weights = attention(Q, K, V)
    assert weights.tolist()[0] == pytest.approx([0.669761549, 0.330238451], abs=1e-7)
    assert output.tolist()[0] == pytest.approx([6.697615, 6.604769], abs=1e-5)


def test_a_louder_first_value_moves_the_output_and_no_weight():
    before = attention(Q, K, V)
    after = attention(Q, K, torch.tensor([[100.0, 0.0], [0.0, 20.0]]))
    assert torch.equal(before.weights, after.weights)
    assert after.output.tolist()[0] == pytest.approx([66.976155, 6.604769], abs=1e-4)


def test_the_first_row_under_the_causal_mask_reads_itself_alone():
    x = random(4, 2)
    for temperature in (0.25, 1.0, 4.0):
        result = attention(x, x, x, allowed=causal_mask(4), temperature=temperature)
        assert result.weights[0].tolist() == [1, 0, 0, 0]


# four positions and the places they stand for: km east and km north of the station
PLACES = [
    torch.tensor(rows, dtype=F64)
    for rows in (
        [[0, -1], [1, 0], [0, 1], [1, -2]],
        [[1, 0], [0, 1], [-2, -1], [3, 2]],
        [[10, 0], [0, 20], [40, 10], [30, 50]],
    )
]


@pytest.mark.parametrize(
    ("temperature", "rows", "outputs"),
    [
        (
            0.25,
            [
                [1, 0, 0, 0],
                [0.944, 0.056, 0, 0],
                [0.056, 0.941, 0.003, 0],
                [0.941, 0, 0.056, 0.003],
            ],
            [[10, 0], [9.44, 1.12], [0.69, 18.85], [11.73, 0.72]],
        ),
        (
            1.0,
            [
                [1, 0, 0, 0],
                [0.67, 0.33, 0, 0],
                [0.284, 0.576, 0.14, 0],
                [0.539, 0.065, 0.266, 0.131],
            ],
            [[10, 0], [6.70, 6.60], [8.44, 12.92], [19.94, 10.50]],
        ),
        (
            4.0,
            [
                [1, 0, 0, 0],
                [0.544, 0.456, 0, 0],
                [0.33, 0.394, 0.276, 0],
                [0.32, 0.188, 0.268, 0.224],
            ],
            [[10, 0], [5.44, 9.12], [14.36, 10.64], [20.64, 17.66]],
        ),
    ],
)
def test_four_places_under_the_causal_mask_at_three_temperatures(temperature, rows, outputs):
    output, weights = attention(*PLACES, allowed=causal_mask(4), temperature=temperature)
    torch.testing.assert_close(weights, torch.tensor(rows, dtype=F64), rtol=0, atol=5.1e-4)
    torch.testing.assert_close(output, torch.tensor(outputs, dtype=F64), rtol=0, atol=5.1e-3)


def test_it_is_the_articles_five_lines():
    q, k, v = random(5, 3), random(5, 3, seed=1), random(5, 4, seed=2)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    future = torch.ones(5, 5, dtype=torch.bool).triu(1)
    expected = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    output, weights = attention(q, k, v, allowed=causal_mask(5))
    torch.testing.assert_close(weights, expected, rtol=0, atol=1e-15)
    torch.testing.assert_close(output, expected @ v, rtol=0, atol=1e-15)


@given(
    st.tuples(*[st.integers(1, 4)] * 5),
    st.sampled_from([torch.float64, torch.float32]),
    st.floats(0.1, 10),
    st.integers(0, 2**16),
)
def test_it_agrees_with_the_numpy_loop(numpy_attention, sizes, dtype, temperature, seed):
    B, T_q, T_k, d_k, d_v = sizes
    q = random(B, T_q, d_k, seed=seed, dtype=dtype)
    k = random(B, T_k, d_k, seed=seed + 1, dtype=dtype)
    v = random(B, T_k, d_v, seed=seed + 2, dtype=dtype)
    allowed = random(B, T_q, T_k, seed=seed + 3) > -0.3
    output, weights = attention(
        q, k, v, allowed=allowed, temperature=temperature, fully_masked="zero"
    )
    expected_output, expected_weights = numpy_attention(q, k, v, allowed, None, temperature)
    tolerance = 1e-12 if dtype == torch.float64 else 1e-5
    torch.testing.assert_close(
        weights.double(), torch.from_numpy(expected_weights), rtol=0, atol=tolerance
    )
    torch.testing.assert_close(
        output.double(), torch.from_numpy(expected_output), rtol=0, atol=tolerance
    )


def test_values_may_differ_from_keys_in_width_and_queries_from_keys_in_number():
    output, weights = attention(random(2, 3, 4), random(2, 5, 4), random(2, 5, 7))
    assert output.shape == (2, 3, 7) and weights.shape == (2, 3, 5)


def test_one_set_of_keys_may_serve_every_head():
    q, k, v = random(2, 4, 3, 2), random(2, 1, 5, 2), random(2, 1, 5, 2)
    output, weights = attention(q, k, v, allowed=torch.ones(2, 1, 1, 5, dtype=torch.bool))
    each = attention(q, k.expand(2, 4, 5, 2), v.expand(2, 4, 5, 2))
    assert torch.equal(output, each.output) and torch.equal(weights, each.weights)


def test_weights_not_needed_are_not_returned_and_the_output_is_the_same():
    q, k, v = random(4, 2), random(4, 2), random(4, 2)
    with_weights = attention(q, k, v, allowed=causal_mask(4))
    without = attention(q, k, v, allowed=causal_mask(4), need_weights=False)
    assert without.weights is None
    torch.testing.assert_close(without.output, with_weights.output, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_inputs_are_computed_in_float32_and_come_back_half(dtype):
    q, k, v = (random(6, 8, seed=s, dtype=dtype) for s in range(3))
    output, weights = attention(q, k, v)
    assert output.dtype == weights.dtype == dtype
    wide = attention(q.float(), k.float(), v.float())
    assert torch.equal(output, wide.output.to(dtype))
    composed = masked_softmax(scaled_scores(q, k))
    assert torch.equal(output, (composed @ v.float()).to(dtype))


def test_autocast_does_not_coarsen_float32():
    q, k, v = (random(6, 8, seed=s, dtype=torch.float32) for s in range(3))
    plain = attention(q, k, v)
    with torch.autocast("cpu", torch.bfloat16):
        cast = attention(q, k, v)
    assert torch.equal(cast.output, plain.output) and torch.equal(cast.weights, plain.weights)


def test_an_empty_row_is_refused_by_name_whether_weights_are_needed_or_not():
    allowed = torch.tensor([[True, True], [False, False]])
    for need_weights in (True, False):
        with pytest.raises(ValueError, match=r"query 2 \(index 1\).*fully_masked='zero'"):
            attention(K, K, V, allowed=allowed, need_weights=need_weights)


def test_an_empty_row_outputs_zero_and_sends_no_gradient():
    allowed = torch.tensor([[True, True], [False, False]])
    q, k, v = (x.clone().requires_grad_() for x in (K, K, V))
    output, weights = attention(q, k, v, allowed=allowed, fully_masked="zero")
    assert output[1].tolist() == [0, 0] and weights[1].tolist() == [0, 0]
    output.pow(2).sum().backward()
    assert q.grad[1].tolist() == [0, 0]
    assert all(x.grad.isfinite().all() for x in (q, k, v)) and q.grad[0].abs().sum() > 0


# torch itself uses a deprecated part of torch when it differentiates forwards
@pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")
@pytest.mark.parametrize("temperature", [1.0, 0.6])
def test_first_and_second_derivatives_are_right_with_an_empty_row(temperature):
    allowed = torch.tensor([[True, False, False], [False] * 3, [True, True, False]])
    inputs = [random(3, 2, seed=s).requires_grad_() for s in range(3)]

    def attend(q, k, v):
        return attention(q, k, v, allowed=allowed, temperature=temperature, fully_masked="zero")

    assert torch.autograd.gradcheck(attend, inputs, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(attend, inputs)


def test_values_at_the_edge_of_the_range_are_averaged_without_overflow():
    top = torch.finfo(torch.float32).max
    v = torch.full((6, 2), top)  # six weights of 1/6 add to a little over 1
    v[:2, 1] = -top
    output, _ = attention(torch.zeros(1, 2), torch.zeros(6, 2), v)
    assert output[0, 0].item() == pytest.approx(top, rel=1e-6)  # a CPU may add up to a hair less
    assert output[0, 0].item() <= top
    assert output[0, 1].item() == pytest.approx(top / 3, rel=1e-6)


@pytest.mark.parametrize("name", ["q", "k", "v"])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_numbers_that_are_not_finite_are_refused_even_behind_the_mask(name, bad):
    given = {"q": random(2, 2), "k": random(2, 2), "v": random(2, 2)}
    given[name][1, 0] = bad
    with pytest.raises(ValueError, match=rf"{name} must hold finite.*{bad} at index \[1, 0\]"):
        attention(**given, allowed=torch.tensor([[True, False], [True, False]]))


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"v": torch.ones(3, 2)}, ValueError, r"v needs one row per key: \[\.\.\., 2, d_v\]"),
        ({"k": torch.ones(2, 3)}, ValueError, r"k needs the width of q"),
        ({"k": torch.ones(1, 2, 2)}, ValueError, r"k needs as many axes as q \[1, 2\]"),
        ({"v": torch.ones(1, 2, 2)}, ValueError, r"v needs as many axes as q \[1, 2\]"),
        ({"q": Q[None, None]}, ValueError, r"k needs as many axes .* example k\[None, None\]\.$"),
        ({"k": K[None], "v": V[None]}, ValueError, r"k needs as many axes .* example q\[None\]\.$"),
        ({"fully_masked": np.array(["zero"] * 2)}, ValueError, r"fully_masked must be 'raise'"),
        ({"v": V.double()}, TypeError, r"v needs the dtype of q, float32; got float64"),
        ({"k": K.half()}, TypeError, r"k needs the dtype of q, float32; got float16"),
        ({"v": V.to("meta")}, ValueError, r"v needs the device of q, cpu; got meta"),
        ({"q": Q.long()}, TypeError, r"q must hold float16.* got int64"),
        ({"q": Q.bool()}, TypeError, r"q must hold float16.* got bool"),
        ({"q": Q.to(torch.complex64)}, TypeError, r"q must hold float16.* got complex64"),
        ({"q": Q[:0]}, ValueError, r"q needs .* at least one entry along each axis; got \[0, 2\]"),
        ({"k": K[:0], "v": V[:0]}, ValueError, r"k needs .* at least one entry"),
        ({"q": [[1.0, 0.0]]}, TypeError, r"q must be a torch\.Tensor.*got list"),
        ({"q": Q.to_sparse()}, TypeError, r"q must be a dense tensor"),
        ({"temperature": 0.0}, ValueError, r"temperature must be a finite number above 0"),
        ({"fully_masked": None}, ValueError, r"fully_masked must be 'raise' or 'zero'; got None"),
    ],
)
def test_what_does_not_fit_is_refused_with_argument_expected_and_got(change, error, words):
    with pytest.raises(error, match=words):
        attention(**{"q": Q, "k": K, "v": V} | change)


def test_unlike_batches_are_refused():
    one, two, three = torch.ones(1, 1, 2), torch.ones(2, 1, 2), torch.ones(3, 1, 2)
    with pytest.raises(ValueError, match=r"v needs the leading axes of k, \[2\]; got \[3\]"):
        attention(one, two, three)
    with pytest.raises(ValueError, match=r"k needs the leading axes of q, \[2\]; got \[3\]"):
        attention(torch.ones(2, 1, 2), torch.ones(3, 1, 2), torch.ones(3, 1, 2))

"""The faster ways give what the written-out form gives, and refuse what it refuses."""

import math

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attn_lab import attention, causal_mask
from tests.helpers.attention_cases import KINDS, masks_for, written_out
from tests.helpers.tensors import random

F64 = torch.float64
CLOSE = {F64: 1e-12, torch.float32: 1e-5, torch.float16: 1e-3, torch.bfloat16: 1e-2}
# one fixture serves all examples of a property: it only makes the sizes small
whole = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)


@whole
@given(
    st.sampled_from(KINDS),
    st.sampled_from([(), (3,), (2, 3)]),
    st.tuples(*[st.integers(1, 13)] * 2, *[st.integers(1, 5)] * 2),
    st.sampled_from(list(CLOSE)),
    st.sampled_from([1.0, 0.5, 1e-35, 1e35]),
    st.sampled_from([None, 1.0, 0.0, -0.7]),
    st.integers(0, 2**16),
)
def test_every_way_gives_what_the_written_out_form_gives(
    small, kind, leading, sizes, dtype, temperature, scale, seed
):
    T_q, T_k, d_k, d_v = sizes
    q, k = random(*leading, T_q, d_k, seed=seed), random(*leading, T_k, d_k, seed=seed + 1)
    q, k, v = (x.to(dtype) for x in (q, k, random(*leading, T_k, d_v, seed=seed + 2)))
    allowed = masks_for(kind, leading, T_q, T_k, seed)
    more = {"allowed": allowed, "temperature": temperature, "scale": scale}
    output, weights = written_out(q, k, v, **more)
    for need_weights in (True, False):
        given = attention(q, k, v, **more, fully_masked="zero", need_weights=need_weights)
        torch.testing.assert_close(given.output, output, rtol=0, atol=CLOSE[dtype])
        assert given.output.dtype == dtype
        if need_weights:
            torch.testing.assert_close(given.weights, weights, rtol=0, atol=CLOSE[dtype])
            if allowed is not None:
                assert given.weights[~allowed.expand(weights.shape)].eq(0).all()


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize(
    ("of_q", "of_k", "of_v"),
    [((2, 3), (2, 1), (1, 3)), ((2, 1), (1, 3), (1, 1)), ((2, 1, 3), (2, 1, 3), (2, 1, 3))],
)
def test_leading_axes_that_are_shared_or_many_give_the_same(small, of_q, of_k, of_v, need_weights):
    q, k, v = random(*of_q, 9, 4), random(*of_k, 7, 4, seed=1), random(*of_v, 7, 2, seed=2)
    output, weights = written_out(q, k, v)
    given = attention(q, k, v, need_weights=need_weights)
    torch.testing.assert_close(given.output, output, rtol=0, atol=1e-14)
    if need_weights:
        torch.testing.assert_close(given.weights, weights, rtol=0, atol=1e-14)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("T", [512, 600])
def test_at_its_real_size_it_gives_what_the_written_out_form_gives(need_weights, T):
    q, k, v = (random(2, 2, T, 16, seed=s, dtype=torch.float32) for s in range(3))
    for allowed in (None, causal_mask(T), causal_mask(T) & ~causal_mask(T).tril(-200)):
        output, weights = written_out(q, k, v, allowed)
        given = attention(q, k, v, allowed=allowed, need_weights=need_weights)
        torch.testing.assert_close(given.output, output, rtol=0, atol=1e-5)
        if need_weights:
            torch.testing.assert_close(given.weights, weights, rtol=0, atol=1e-5)


def layouts(x):
    """The same numbers laid out in other ways."""
    yield x.transpose(-2, -1).contiguous().transpose(-2, -1)
    yield torch.stack((x, x), -1)[..., 0]
    yield x.flip(-2).clone().flip(-2)
    yield x[:, :1].expand_as(x) if torch.equal(x, x[:, :1].expand_as(x)) else x


@pytest.mark.parametrize("need_weights", [True, False])
def test_layout_changes_no_value(small, need_weights):
    q, k, v = (random(2, 3, 9, 4, seed=s) for s in range(3))
    allowed = causal_mask(9)
    plain = attention(q, k, v, allowed=allowed, need_weights=need_weights).output
    for one, other, third in zip(layouts(q), layouts(k), layouts(v), strict=True):
        other_mask = allowed.T.contiguous().T
        given = attention(one, other, third, allowed=other_mask, need_weights=need_weights)
        torch.testing.assert_close(given.output, plain, rtol=0, atol=1e-14)


# --- the same refusals ---


@pytest.mark.parametrize("need_weights", [True, False])
class TestRefusals:
    def test_an_empty_row_is_named(self, small, need_weights):
        allowed = torch.ones(9, 9, dtype=torch.bool)
        allowed[6] = False
        q = random(9, 2)
        with pytest.raises(ValueError, match=r"1 fully masked row: query 7 \(index 6\)"):
            attention(q, q, q, allowed=allowed, need_weights=need_weights)

    @pytest.mark.parametrize("name", ["q", "k", "v"])
    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
    def test_a_number_that_is_not_finite_is_named_behind_the_mask(
        self, small, need_weights, name, bad
    ):
        given = {each: random(9, 2) for each in "qkv"}
        given[name][8, 1] = bad
        allowed = causal_mask(9)
        allowed[:, 8] = False
        with pytest.raises(ValueError, match=rf"{name} must hold finite.*{bad} at index \[8, 1\]"):
            attention(**given, allowed=allowed, need_weights=need_weights)

    def test_scores_that_overflow_are_refused_behind_the_mask(self, small, need_weights):
        q, k = random(9, 2), random(9, 2)
        q[0], k[8] = 1e200, 1e200
        with pytest.raises(ValueError, match="q and k are finite, but too large together"):
            attention(q, k, k, allowed=causal_mask(9), need_weights=need_weights)

    def test_scores_that_overflow_are_refused_though_the_squares_of_q_vanish(
        self, small, need_weights
    ):
        q, k = random(9, 2, dtype=torch.float32) * 1e-25, torch.full((9, 2), 1e18)
        with pytest.raises(ValueError, match="q and k are finite, but too large together"):
            attention(q, k, k, scale=1e46, need_weights=need_weights)

    def test_large_numbers_whose_scores_fit_are_not_refused(self, small, need_weights):
        q = torch.zeros(9, 2, dtype=F64)
        k = torch.zeros(9, 2, dtype=F64)
        q[:, 0], k[:, 1] = 1e200, 1e200  # large, and at right angles
        k[3, 0] = 1.0
        output = attention(q, k, random(9, 2), need_weights=need_weights).output
        torch.testing.assert_close(output, random(9, 2)[3].expand(9, 2))


def test_values_at_the_edge_of_the_range_are_averaged_without_overflow(small):
    top = torch.finfo(torch.float32).max
    zeros, v = torch.zeros(9, 2), torch.full((9, 2), top)
    for need_weights in (True, False):
        assert attention(zeros, zeros, v, need_weights=need_weights).output.eq(top).all()

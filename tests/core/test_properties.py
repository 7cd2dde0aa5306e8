"""What holds for every shape, mask, dtype and layout."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_lab import attention, causal_mask, masked_softmax, scaled_scores, tiled_attention

CLOSE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2}
DTYPES = st.sampled_from(list(CLOSE))


@st.composite
def cases(draw, dtypes=DTYPES, square=False):
    """q, k, v and a mask: any leading axes, lengths, widths, dtype and layout."""
    leading = draw(st.sampled_from([(), (2,), (2, 3), (1, 2), (2, 1, 2)]))
    T_q, T_k, d_k, d_v = (draw(st.integers(1, 6)) for _ in range(4))
    T_k = T_q if square else T_k
    dtype, seed = draw(dtypes), draw(st.integers(0, 2**16))
    g = torch.Generator().manual_seed(seed)

    def tensor(T, d):
        x = torch.randn(*leading, T, d, generator=g, dtype=torch.float64).to(dtype)
        return draw(
            st.sampled_from(
                [
                    x,
                    x.transpose(-2, -1).contiguous().transpose(-2, -1),
                    x.repeat_interleave(2, -1)[..., ::2],
                ]
            )
        )

    q, k, v = tensor(T_q, d_k), tensor(T_k, d_k), tensor(T_k, d_v)
    rows = [1 if n == 1 or draw(st.booleans()) else n for n in leading]
    allowed = torch.rand(*rows, T_q, T_k, generator=g) < draw(st.sampled_from([0.3, 0.7, 1.0]))
    return q, k, v, draw(st.sampled_from([None, allowed]))


@given(cases(), st.sampled_from([0.25, 1.0, 4.0]))
def test_rows_sum_to_one_or_zero_and_blocked_weights_are_exactly_zero(case, temperature):
    q, k, v, allowed = case
    _, weights = attention(q, k, v, allowed=allowed, temperature=temperature, fully_masked="zero")
    is_open = torch.ones_like(weights, dtype=torch.bool) if allowed is None else allowed
    is_open = is_open.expand(weights.shape)
    sums = is_open.any(-1).to(weights.dtype)
    torch.testing.assert_close(weights.sum(-1), sums, rtol=0, atol=CLOSE[q.dtype])
    assert weights[~is_open].eq(0).all() and weights.ge(0).all()


@given(cases(), st.floats(-1000, 1000))
def test_a_constant_along_each_row_changes_no_weight(case, shift):
    q, k, _, allowed = case
    scores = scaled_scores(q.double(), k.double())
    rows = shift * torch.arange(1, scores.shape[-2] + 1)[:, None]
    before = masked_softmax(scores, allowed, fully_masked="zero")
    after = masked_softmax(scores + rows, allowed, fully_masked="zero")
    torch.testing.assert_close(after, before, rtol=0, atol=1e-11)


@given(cases(), st.randoms(use_true_random=False))
def test_permuting_keys_permutes_weights_and_leaves_the_output(case, chance):
    q, k, v, allowed = case
    order = list(range(k.shape[-2]))
    chance.shuffle(order)
    one = attention(q, k, v, allowed=allowed, fully_masked="zero")
    turned = None if allowed is None else allowed[..., order]
    other = attention(q, k[..., order, :], v[..., order, :], allowed=turned, fully_masked="zero")
    close = {"rtol": 0, "atol": CLOSE[q.dtype]}
    torch.testing.assert_close(other.weights, one.weights[..., order], **close)
    torch.testing.assert_close(other.output, one.output, **close)


@given(cases(), st.randoms(use_true_random=False))
def test_permuting_queries_permutes_rows(case, chance):
    q, k, v, allowed = case
    order = list(range(q.shape[-2]))
    chance.shuffle(order)
    one = attention(q, k, v, allowed=allowed, fully_masked="zero").weights[..., order, :]
    turned = None if allowed is None else allowed[..., order, :]
    other = attention(q[..., order, :], k, v, allowed=turned, fully_masked="zero").weights
    torch.testing.assert_close(other, one, rtol=0, atol=CLOSE[q.dtype])


@given(cases(square=True), st.integers(0, 5), st.sampled_from([1.0, 1e3]))
def test_a_changed_position_leaves_earlier_outputs_equal_to_the_bit(case, position, size):
    q, k, v, _ = (x.clone() if x is not None else None for x in case)
    T = q.shape[-2]
    position = min(position, T - 1)
    before = attention(q, k, v, allowed=causal_mask(T))
    for x in (q, k, v):
        x[..., position, :] = x[..., position, :] * size + 1
    after = attention(q, k, v, allowed=causal_mask(T))
    for one, other in zip(before, after, strict=True):
        assert torch.equal(one[..., :position, :], other[..., :position, :])


@given(cases())
def test_the_output_does_not_depend_on_the_way_it_is_asked_for(case):
    q, k, v, allowed = case
    more = {"allowed": allowed, "fully_masked": "zero"}
    output = attention(q, k, v, **more).output
    close = {"rtol": 0, "atol": CLOSE[q.dtype]}
    alone = attention(q, k, v, **more, need_weights=False).output
    torch.testing.assert_close(alone, output, **close)
    tiled = tiled_attention(q, k, v, **more, block_size=2)
    torch.testing.assert_close(tiled, output, **close)
    weights = masked_softmax(scaled_scores(q, k), **more)
    composed = (weights @ v.to(weights.dtype)).to(v.dtype)
    torch.testing.assert_close(composed, output, **close)


@given(cases(), st.floats(0.05, 20), st.floats(0.05, 20))
def test_more_temperature_never_raises_the_largest_weight(case, one, other):
    q, k, v, allowed = (x.double() if x is not None and x.is_floating_point() else x for x in case)
    cool, warm = sorted((one, other))
    top = [
        attention(q, k, v, allowed=allowed, temperature=t, fully_masked="zero").weights.amax(-1)
        for t in (cool, warm)
    ]
    assert (top[1] <= top[0] + 1e-12).all()


@given(cases())
def test_an_output_lies_between_the_values_that_were_read(case):
    q, k, v, allowed = case
    output = attention(q, k, v, allowed=allowed, fully_masked="zero").output.double()
    is_open = torch.ones(1, 1, dtype=torch.bool) if allowed is None else allowed
    shape = (*q.shape[:-1], k.shape[-2])
    is_open = is_open.expand(shape)[..., None]  # [..., T_q, T_k, 1]
    values = v.double()[..., None, :, :]
    highest = values.masked_fill(~is_open, -torch.inf).amax(-2)
    lowest = values.masked_fill(~is_open, torch.inf).amin(-2)
    some = is_open.any(-2)
    slack = CLOSE[q.dtype]
    assert (~some | ((output <= highest + slack) & (output >= lowest - slack))).all()
    assert output[~some.expand(output.shape)].eq(0).all()


@settings(max_examples=15)
@given(cases(dtypes=st.just(torch.float64)), st.sampled_from([1.0, 0.5]))
@pytest.mark.parametrize("call", [attention, tiled_attention])
def test_first_and_second_derivatives_are_right_with_empty_rows(call, case, temperature):
    *inputs, allowed = case
    inputs = [x.detach().clone().requires_grad_() for x in inputs]

    def run(q, k, v):
        return call(q, k, v, allowed=allowed, temperature=temperature, fully_masked="zero")

    assert torch.autograd.gradcheck(run, inputs, fast_mode=True)
    assert torch.autograd.gradgradcheck(run, inputs, fast_mode=True)

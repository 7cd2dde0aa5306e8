import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import attention, causal_mask, tiled_attention
from attn_lab.core.tiles import online_softmax, tile_steps
from tests.helpers.tensors import Largest, random

F64 = torch.float64


def test_the_article_row_comes_out_of_two_tiles_of_one_key():
    q, k = torch.tensor([[1.0, 0.0]]), torch.eye(2)
    output = tiled_attention(q, k, torch.tensor([[10.0, 0.0], [0.0, 20.0]]), block_size=1)
    assert output.tolist()[0] == pytest.approx([6.697615, 6.604769], abs=1e-5)


def test_scores_1_3_then_2_5_shrink_what_was_kept_by_0_135():
    k = torch.tensor([[1.0], [3.0], [2.0], [5.0]], dtype=F64)
    first, second = tile_steps(torch.ones(1, 1, dtype=F64), k, torch.eye(4, dtype=F64), scale=1)
    assert (first.tile, first.keys, first.maximum.item()) == (1, slice(0, 2), 3)
    assert first.total.item() == pytest.approx(math.exp(-2) + 1)
    assert first.factor.item() == 0  # nothing had been kept
    assert (second.tile, second.keys, second.maximum.item()) == (2, slice(2, 4), 5)
    assert second.factor.item() == pytest.approx(0.135335, abs=1e-6)
    assert second.total.item() == pytest.approx(1.203, abs=5e-4)
    expected = torch.tensor([1.0, 3, 2, 5], dtype=F64).softmax(0)
    torch.testing.assert_close(second.output[0], expected, rtol=0, atol=1e-15)


def test_each_step_is_attention_over_the_keys_seen_so_far():
    q, k, v = random(3, 4), random(7, 4, seed=1), random(7, 2, seed=2)
    for step in tile_steps(q, k, v, block_size=3):
        seen = slice(0, step.keys.stop)
        expected = attention(q, k[seen], v[seen]).output
        torch.testing.assert_close(step.output, expected, rtol=0, atol=1e-14)


def test_a_first_tile_with_nothing_to_read_leaves_no_trace():
    allowed = torch.tensor([[False, False, True, True]])
    q, k, v = random(1, 4), random(4, 4, seed=1), random(4, 2, seed=2)
    first, second = tile_steps(q, k, v, allowed=allowed)
    assert first.maximum.item() == -math.inf and first.total.item() == 0
    assert first.output.tolist() == [[0, 0]]
    expected = attention(q, k[2:], v[2:]).output
    torch.testing.assert_close(second.output, expected, rtol=0, atol=1e-15)
    tiled = tiled_attention(q, k, v, allowed=allowed, block_size=2)
    torch.testing.assert_close(tiled, expected, rtol=0, atol=1e-15)


@given(
    st.tuples(st.integers(1, 2), *[st.integers(1, 7)] * 4),
    st.integers(1, 8),
    st.floats(0.1, 10),
    st.integers(0, 2**16),
)
def test_it_agrees_with_the_numpy_loop(numpy_attention, sizes, block_size, temperature, seed):
    B, T_q, T_k, d_k, d_v = sizes
    q, k = random(B, T_q, d_k, seed=seed), random(B, T_k, d_k, seed=seed + 1)
    v = random(B, T_k, d_v, seed=seed + 2)
    allowed = random(B, T_q, T_k, seed=seed + 3) > 0.3
    more = {"allowed": allowed, "temperature": temperature, "fully_masked": "zero"}
    output = tiled_attention(q, k, v, **more, block_size=block_size)
    expected, _ = numpy_attention(q, k, v, allowed, None, temperature)
    torch.testing.assert_close(output, torch.from_numpy(expected), rtol=0, atol=1e-12)
    torch.testing.assert_close(tile_steps(q, k, v, **more)[-1].output, output, rtol=0, atol=1e-12)


@pytest.mark.parametrize("size", [1, 7, 64, 512, 1_000])
def test_tiles_of_any_size_give_dense_attention_up_to_rounding(size):
    q, k, v = random(5, 16), random(512, 16, seed=1), random(512, 16, seed=2)
    tiled = tiled_attention(q, k, v, block_size=size)
    assert (tiled - attention(q, k, v).output).abs().max() < 1e-14


def test_a_small_weight_is_counted_like_any_other():
    k = torch.tensor([[0.0]] * 999 + [[20.0]], dtype=F64)
    v = torch.tensor([[1.0]] * 999 + [[0.0]], dtype=F64)
    kept = tiled_attention(torch.ones(1, 1, dtype=F64), k, v, block_size=10)
    assert kept.item() == pytest.approx(999 / (999 + math.exp(20)), rel=1e-12)


def test_scores_far_above_the_first_tile_do_not_overflow():
    k = torch.tensor([[0.0], [1_000.0], [2_000.0]])
    assert tiled_attention(torch.ones(1, 1), k, torch.eye(3), block_size=1).tolist() == [[0, 0, 1]]


def test_each_row_starts_from_the_lowest_number_so_that_an_empty_tile_leaves_nothing():
    blocked, legal = torch.full((1, 2), -math.inf), torch.tensor([[1.0, 3.0]])
    lowest = torch.tensor([torch.finfo(torch.float32).min])
    tiles = [(blocked, torch.eye(2), None), (legal, torch.eye(2), None)]
    first, second = online_softmax(tiles, lowest, temperature=1.0)
    assert first[2].item() == 0 and first[3].tolist() == [[0, 0]]
    torch.testing.assert_close(second[3], legal.softmax(-1), rtol=0, atol=1e-7)


@pytest.mark.parametrize("temperature", [1e-40, 1.0, 1e300])
@pytest.mark.parametrize("size", [1.0, 1e4, 1e37])
def test_huge_scores_and_extreme_temperatures_agree_with_attention(size, temperature):
    q, k, v = torch.full((1, 1), size), random(9, 1, dtype=torch.float32), torch.eye(9)
    expected = attention(q, k, v, temperature=temperature).output
    tiled = tiled_attention(q, k, v, temperature=temperature, block_size=2)
    torch.testing.assert_close(tiled, expected, rtol=0, atol=1e-6)


def test_values_at_the_edge_of_the_range_are_averaged_without_overflow():
    top = torch.finfo(torch.float32).max
    output = tiled_attention(
        torch.zeros(1, 2), torch.zeros(6, 2), torch.full((6, 1), top), block_size=4
    )
    assert output.item() == top
    steps = tile_steps(torch.zeros(1, 2), torch.zeros(6, 2), torch.full((6, 1), top))
    assert [step.output.item() for step in steps] == [top] * 3


@pytest.mark.parametrize("size", [1e4, 1e20, 1e38])
@pytest.mark.parametrize("way", [attention, tiled_attention])
def test_a_clear_winner_among_huge_scores_sends_no_gradient_to_them(way, size):
    q = torch.tensor([[size, 0.0]] * 6, requires_grad=True)
    k = torch.tensor([[1.0, 0.3], [-1.0, 0.7]], requires_grad=True)
    given = way(q, k, random(2, 67, dtype=torch.float32), scale=1.0)
    output = given if way is tiled_attention else given.output
    (output * random(6, 67, seed=1, dtype=torch.float32)).sum().backward()
    assert q.grad.eq(0).all() and k.grad.eq(0).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_inputs_are_computed_in_float32_and_come_back_half(dtype):
    q, k, v = (random(2, 9, 4, seed=s, dtype=dtype) for s in range(3))
    output = tiled_attention(q, k, v, block_size=4)
    wide = tiled_attention(q.float(), k.float(), v.float(), block_size=4)
    assert output.dtype == dtype and torch.equal(output, wide.to(dtype))


def test_first_and_second_derivatives_are_right_with_empty_rows_and_closed_tiles():
    allowed = torch.tensor([[True, False, False, True], [False] * 4, [False, False, True, True]])
    inputs = [random(n, 2, seed=n).requires_grad_() for n in (3, 4, 4)]

    def attend(q, k, v):
        return tiled_attention(q, k, v, allowed=allowed, fully_masked="zero", block_size=2)

    assert torch.autograd.gradcheck(attend, inputs)
    assert torch.autograd.gradgradcheck(attend, inputs)


def test_changing_a_later_position_leaves_earlier_outputs_equal_to_the_bit():
    q, k, v = random(9, 4), random(9, 4, seed=1), random(9, 4, seed=2)
    before = tiled_attention(q, k, v, allowed=causal_mask(9), block_size=4)
    k[5], v[5] = 1e6, -1e6
    after = tiled_attention(q, k, v, allowed=causal_mask(9), block_size=4)
    assert torch.equal(before[:5], after[:5]) and not torch.equal(before[5:], after[5:])


def test_it_never_holds_a_score_for_every_pair():
    q, k, v = (random(96, 2, seed=s) for s in range(3))
    with Largest() as largest:
        tiled_attention(q, k, v, allowed=causal_mask(96), block_size=8)
    assert largest.numel == 3 * 96 * 2  # q, k and v looked at together; tiles are smaller
    with Largest() as largest:
        attention(q, k, v)
    assert largest.numel == 96 * 96


def test_an_empty_row_is_refused_by_name():
    allowed = torch.tensor([[True, True], [False, False]])
    for function in (tiled_attention, tile_steps):
        with pytest.raises(ValueError, match=r"query 2 \(index 1\).*fully_masked='zero'"):
            function(*(random(2, 2) for _ in range(3)), allowed=allowed)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"block_size": 0}, ValueError, "block_size must be at least 1; got 0"),
        ({"block_size": 1.5}, TypeError, "block_size must be a whole number; got 1.5"),
        ({"q": torch.full((2, 2), 1e200, dtype=F64)}, ValueError, "q and k are finite, but too"),
        ({"v": torch.full((2, 2), math.nan, dtype=F64)}, ValueError, "v must hold finite numbers"),
        ({"temperature": 0}, ValueError, "temperature must be a finite number above 0"),
    ],
)
def test_what_attention_refuses_is_refused(change, error, words):
    given = {"q": random(2, 2), "k": torch.full((2, 2), 1e200, dtype=F64), "v": random(2, 2)}
    with pytest.raises(error, match=words):
        tiled_attention(**given | change)

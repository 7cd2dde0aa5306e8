"""Which inputs go which way, and what none of the faster ways makes: a score for every pair."""

import math

import pytest
import torch
from torch.autograd import forward_ad
from torch.utils.flop_counter import FlopCounterMode

from attn_lab import attention, causal_mask
from attn_lab.core import attention as page
from attn_lab.core.fast import fused
from tests.helpers.attention_cases import KINDS, masks_for, written_out
from tests.helpers.tensors import Largest, random


def way_taken(monkeypatch, *tensors, **more):
    taken = []
    for name, way in (
        ("written out", "written_out"),
        ("fast", "attend_fast"),
    ):
        original = getattr(page, way)
        monkeypatch.setattr(page, way, lambda *a, o=original, n=name: (taken.append(n), o(*a))[1])
    attention(*tensors, **more)
    return taken[0]


def test_large_inputs_go_the_faster_way_and_small_ones_do_not(monkeypatch):
    large, less = random(512, 2), random(511, 2)
    assert way_taken(monkeypatch, large, large, large) == "fast"
    assert way_taken(monkeypatch, less, less, less) == "written out"


@pytest.mark.parametrize("which", [0, 1, 2])
def test_where_a_gradient_is_asked_for_the_written_out_form_serves(monkeypatch, which):
    inputs = [random(512, 2) for _ in range(3)]
    inputs[which].requires_grad_()
    assert way_taken(monkeypatch, *inputs) == "written out"
    with torch.no_grad():
        assert way_taken(monkeypatch, *inputs) == "fast"


# torch itself uses a deprecated part of torch when it differentiates forwards
@pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")
def test_where_a_forward_derivative_is_asked_for_the_written_out_form_serves(monkeypatch):
    q = random(512, 2)
    with forward_ad.dual_level():
        assert way_taken(monkeypatch, forward_ad.make_dual(q, q), q, q) == "written out"


def test_the_kernel_serves_without_weights_and_its_causal_path_the_causal_mask(small, monkeypatch):
    calls = []
    original = fused.scaled_dot_product_attention
    monkeypatch.setattr(
        fused,
        "scaled_dot_product_attention",
        lambda *a, **m: (calls.append(m), original(*a, **m))[1],
    )
    q = random(1, 2, 9, 4)
    attention(q, q, q, allowed=causal_mask(9), need_weights=False)
    assert len(calls) == 1 and calls[0]["is_causal"]
    calls.clear()
    attention(q, q, q, allowed=causal_mask(9).tril(-1) | torch.eye(9).bool(), need_weights=False)
    assert len(calls) == 1 and calls[0]["is_causal"]
    for row, column in ((4, 4), (8, 0), (0, 1), (3, 8)):  # one cell off is no causal mask
        calls.clear()
        allowed = causal_mask(9)
        allowed[row, column] ^= True
        attention(q, q, q, allowed=allowed, need_weights=False)
        assert calls and not any(call.get("is_causal") for call in calls)


def test_blocks_leave_out_what_the_mask_forbids(small):
    q = random(1, 1, 64, 4)
    flops = []
    for allowed in (None, causal_mask(64), causal_mask(64) & ~causal_mask(64).tril(-8)):
        with FlopCounterMode(display=False) as counter:
            attention(q, q, q, allowed=allowed)
        flops.append(counter.get_total_flops())
    assert flops[1] < 0.6 * flops[0] and flops[2] < 0.25 * flops[0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("leading", "d_v"), [((), 4), ((2,), 4), ((1, 2), 4), ((1, 2), 6)])
def test_without_weights_no_matrix_of_scores_is_made(kind, leading, d_v):
    T = 2048
    q, k = random(*leading, T, 4), random(*leading, T, 4)
    v = random(*leading, T, d_v)
    allowed = masks_for(kind, leading, T, T, 0)
    with Largest() as largest:
        attention(q, k, v, allowed=allowed, fully_masked="zero", need_weights=False)
    assert largest.numel < math.prod(leading) * T * T / 2


@pytest.mark.parametrize("width", [4, 1])
def test_inputs_laid_out_by_column_make_no_matrix_of_scores_either(width):
    x = random(1, 2, width, 2048).transpose(-2, -1)
    with Largest() as largest:
        attention(x, x, x, allowed=causal_mask(2048), need_weights=False)
    assert largest.numel < 2048 * 2048 / 2


@pytest.mark.parametrize("kind", ["none", "causal", "padding"])
@pytest.mark.parametrize(
    ("of_q", "of_k", "of_v"),
    [
        ((2, 4), (2, 1), (2, 1)),
        ((2, 4), (1, 1), (2, 4)),
        ((1, 1), (2, 1), (1, 1)),
        ((3,), (1,), (1,)),
    ],
)
def test_keys_shared_by_heads_make_no_matrix_of_scores_and_the_same_output(of_q, of_k, of_v, kind):
    T = 1024
    q, k, v = (random(*leading, T, 3, seed=s) for s, leading in enumerate((of_q, of_k, of_v)))
    leading = torch.broadcast_shapes(of_q, of_k)
    allowed = masks_for(kind, leading, T, T, 0)
    with Largest() as largest:
        output = attention(q, k, v, allowed=allowed, need_weights=False).output
    assert largest.numel < math.prod(leading) * T * T / 2
    assert output.shape == (*leading, T, 3)
    torch.testing.assert_close(output, written_out(q, k, v, allowed)[0], rtol=0, atol=1e-12)
    both = attention(q, k, v, allowed=allowed)
    torch.testing.assert_close(both.output, output, rtol=0, atol=1e-12)
    assert both.weights.shape == (*leading, T, T)

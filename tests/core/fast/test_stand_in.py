"""The faster ways give what the written-out form gives, refuse what it refuses, leak nothing."""

import math
import subprocess
import sys

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch.autograd import forward_ad
from torch.utils.flop_counter import FlopCounterMode

from attn_lab import attention, causal_mask, padding_mask
from attn_lab.core import attention as page
from attn_lab.core.checks.fit import check_inputs
from attn_lab.core.fast import fused, row_blocks, stand_in
from tests.helpers.tensors import Largest, random

F64 = torch.float64
CPU = torch.device("cpu")
CLOSE = {F64: 1e-12, torch.float32: 1e-5, torch.float16: 1e-3, torch.bfloat16: 1e-2}
# one fixture serves all examples of a property: it only makes the sizes small
whole = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)


@pytest.fixture
def small(monkeypatch):
    """Faster ways from the first pair on, in blocks of at most 8 rows, 4 of a head."""
    monkeypatch.setattr(stand_in, "PAYS_FROM", 1)
    monkeypatch.setattr(row_blocks, "LARGEST_BLOCK", (8, 4))


def written_out(q, k, v, allowed=None, scale=None, temperature=1.0, fully_masked="zero"):
    checked = check_inputs(q, k, v, allowed, scale, temperature, fully_masked)
    return page.written_out(checked, fully_masked, True)


def masks_for(kind, leading, T_q, T_k, seed):
    g = torch.Generator().manual_seed(seed)
    heads = tuple(n if torch.rand(1, generator=g) < 0.5 else 1 for n in leading)
    upper = causal_mask(T_q, T_k, align="upper_left")
    return {
        "none": None,
        "causal": upper,
        "lower right": causal_mask(T_q, T_k, align="lower_right"),
        "window": upper & ~upper.tril(-3),
        "any": torch.rand(T_q, T_k, generator=g) < 0.4,
        "one row": torch.arange(T_q)[:, None].eq(T_q // 2).expand(T_q, T_k),
        "padding": (torch.arange(T_k) < T_k // 2).expand(*heads, 1, T_k),
        "per head": torch.rand(*heads, T_q, T_k, generator=g) < 0.5,
    }[kind]


KINDS = ["none", "causal", "lower right", "window", "any", "one row", "padding", "per head"]


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


# --- which way is taken ---


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


# --- scores that are large ---


@pytest.mark.parametrize("size", [1.0, 8.0, 1e3, 1e30])
@pytest.mark.parametrize("kind", ["none", "causal", "any"])
def test_weights_asked_for_or_not_the_output_is_the_same_at_every_size_of_score(kind, size):
    q, k, v = (random(1, 2, 600, 128, seed=s, dtype=torch.float32) for s in range(3))
    allowed = masks_for(kind, (1, 2), 600, 600, 0)
    both = [
        attention(q * size, k, v, allowed=allowed, fully_masked="zero", need_weights=need).output
        for need in (True, False)
    ]
    torch.testing.assert_close(*both, rtol=0, atol=1e-5)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("size", [1.0, 100.0, 1e30, 3e37])
@pytest.mark.parametrize("kind", ["square", "per sequence", "with padding"])
@pytest.mark.parametrize("T", [48, 700])
def test_a_changed_later_position_leaves_earlier_outputs_equal_to_the_bit(
    T, kind, size, need_weights
):
    q, k, v = (random(2, T, 8, seed=s, dtype=torch.float32) for s in range(3))
    change = T - T // 3
    allowed = {
        "square": causal_mask(T),
        "per sequence": causal_mask(T)[None],
        "with padding": causal_mask(T) & padding_mask([T, T - 5], T),
    }[kind]
    before = attention(q, k, v, allowed=allowed, need_weights=need_weights).output
    q[:, change:] += 1
    for x in (k, v):
        x[:, change:] = x[:, change:] * size + 1
    after = attention(q, k, v, allowed=allowed, need_weights=need_weights).output
    assert torch.equal(before[:, :change], after[:, :change])
    assert not torch.equal(before[:, change:], after[:, change:])


def test_new_queries_behind_kept_keys_do_not_feel_the_keys_behind_them():
    q = random(2, 600, 8, dtype=torch.float32)
    k = random(2, 800, 8, seed=1, dtype=torch.float32)
    allowed = causal_mask(600, 800, align="lower_right")
    before = attention(q, k, k, allowed=allowed, need_weights=False).output
    k[:, 500:] *= 60
    after = attention(q, k, k, allowed=allowed, need_weights=False).output
    assert torch.equal(before[:, :300], after[:, :300])


def test_padding_however_large_changes_no_real_output():
    q, k, v = (random(1, 600, 8, seed=s, dtype=torch.float32) for s in range(3))
    allowed = (torch.arange(600) < 400).expand(1, 1, 600)
    before = attention(q, k, v, allowed=allowed, need_weights=False).output
    k[:, 400:] *= 1e6
    v[:, 400:] *= 1e37
    assert torch.equal(before, attention(q, k, v, allowed=allowed, need_weights=False).output)


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


# --- memory for the weights ---


@pytest.fixture
def every_size_is_large(monkeypatch):
    monkeypatch.setattr(stand_in, "LARGE", 1)


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_memory_is_zero_and_belongs_to_its_owner(every_size_is_large, dtype):
    one, other = (stand_in._zeros([2, 3, 5], dtype, CPU) for _ in range(2))
    assert one.shape == (2, 3, 5) and one.dtype == dtype and one.eq(0).all()
    one += 1
    assert one.eq(1).all() and other.eq(0).all()


def test_memory_outlives_the_call_and_can_be_copied_and_reshaped(every_size_is_large):
    made = stand_in._zeros([4, 4], torch.float32, CPU)
    made[1] = 2
    row = made[1]
    del made
    assert row.tolist() == [2] * 4 and row.clone().view(2, 2).sum() == 8


def test_other_systems_and_devices_get_torchs_own(every_size_is_large, monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(stand_in.mmap, "MADV_HUGEPAGE", raising=False)
    assert stand_in._zeros([3], torch.float32, CPU).tolist() == [0, 0, 0]
    assert stand_in._zeros([3], torch.float32, torch.device("meta")).device.type == "meta"


def test_more_than_huge_pages_are_asked_for_is_zero_too(every_size_is_large, monkeypatch):
    monkeypatch.setattr(stand_in, "HUGE_PAGES_UP_TO", 1)
    assert stand_in._zeros([3, 5], torch.float32, CPU).eq(0).all()


def test_a_system_without_huge_pages_gives_ordinary_ones(every_size_is_large, monkeypatch):
    monkeypatch.setattr(stand_in.mmap, "MADV_HUGEPAGE", 12345)
    assert stand_in._zeros([3], torch.float32, CPU).tolist() == [0, 0, 0]


def test_a_program_that_still_holds_it_ends_in_peace():
    code = (
        "import torch; from attn_lab.core.fast.stand_in import _zeros;"
        "kept = _zeros([4096, 4096], torch.float32, torch.device('cpu')); kept += 1"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")

import math

import pytest
import torch

from attn_lab import (
    attention,
    causal_mask,
    masked_softmax,
    project,
    scaled_scores,
    tiled_attention,
)
from attn_lab.core import attention as page
from attn_lab.core.checks import values
from attn_lab.core.checks.fit import Inputs
from attn_lab.core.checks.values import read, refuse_non_finite, sizes_of, survey
from attn_lab.core.fast import stand_in


@pytest.fixture
def count_readings(monkeypatch):
    calls = []
    for module in (values, page):
        original = module.read
        monkeypatch.setattr(module, "read", lambda *r, o=original: (calls.append(1), o(*r))[1])
    return calls


X = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
HOLES = causal_mask(6).tril(-1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: attention(X, X, X, allowed=causal_mask(6)),
        lambda: attention(X, X, X, allowed=HOLES, fully_masked="zero"),
        lambda: attention(X, X, X, allowed=causal_mask(6), need_weights=False),
        lambda: tiled_attention(X, X, X, allowed=causal_mask(6), block_size=2),
        lambda: masked_softmax(X @ X.T, HOLES, fully_masked="zero"),
        lambda: scaled_scores(X, X),
        lambda: project(X, X.T),
    ],
)
@pytest.mark.parametrize("pays_from", [1, 1 << 40])
def test_a_call_reads_values_once(count_readings, monkeypatch, call, pays_from):
    monkeypatch.setattr(stand_in, "PAYS_FROM", pays_from)
    call()
    assert len(count_readings) == 1


@pytest.mark.parametrize("x", [X, X.clone().requires_grad_()], ids=["plain", "gradient asked"])
def test_only_where_something_is_to_be_refused_values_are_read_again(count_readings, x):
    with pytest.raises(ValueError, match="query 1"):
        attention(x, x, x, allowed=HOLES)
    assert len(count_readings) == 2


@pytest.mark.parametrize("x", [X, X.clone().requires_grad_()], ids=["plain", "gradient asked"])
@pytest.mark.parametrize("empty", range(6))
def test_one_empty_row_among_open_ones_is_refused_by_name(empty, x):
    allowed = causal_mask(6)
    allowed[empty] = False
    with pytest.raises(ValueError, match=rf"query {empty + 1} \(index {empty}\)"):
        attention(x, x, x, allowed=allowed)


def look(q, k, v, scale=1.0):
    return survey(Inputs(q, k, v, None, scale, 1.0), "raise")


LARGE = X.clone()
LARGE[0, 0] = 1e30
FOUR = torch.full((1, 4), 1e19)  # each product 1e38, four of them beyond float32


@pytest.mark.parametrize(
    ("q", "k", "scale", "looks"),
    [
        (X, X, 1.0, 1),
        (LARGE, LARGE, 1e-30, 1),
        (LARGE, X, 1.0, 2),  # together they could overflow, each by itself they do not
        (X, LARGE, 1.0, 2),
        (FOUR[:, :1], FOUR[:, :1], 1.0, 1),
    ],
)
def test_a_closer_look_is_taken_only_where_the_largest_numbers_could_overflow_together(
    count_readings, q, k, scale, looks
):
    look(q, k, k, scale)
    assert len(count_readings) == looks


@pytest.mark.parametrize(
    ("q", "k", "scale"),
    [
        (LARGE, LARGE, 1.0),
        (LARGE, X, 1e10),
        (FOUR, FOUR, 1.0),
        (FOUR * 1e11, FOUR * 1e-30, 1e10),  # 1e40 times 1e-11
    ],
)
def test_scores_that_overflow_are_found_by_size_width_and_scale(q, k, scale):
    with pytest.raises(ValueError, match="q and k are finite, but too large together"):
        look(q, k, X, scale)


def test_large_numbers_at_right_angles_are_looked_at_and_pass(count_readings):
    look(torch.tensor([[1e30, 0.0]]), torch.tensor([[0.0, 1e30]]), X)
    assert len(count_readings) == 3


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("T", [6, 20_000])
def test_a_number_that_is_not_finite_is_named_whether_looked_at_together_or_apart(T, which, bad):
    tensors = [torch.ones(T, 2) for _ in "qkv"]
    tensors[which][T - 2, 1] = bad
    words = rf"{'qkv'[which]} must hold finite.*got 1 .*{bad} at index \[{T - 2}, 1\]"
    with pytest.raises(ValueError, match=words):
        look(*tensors)


def test_the_largest_value_is_found():
    assert look(X, X, X * 0 - 3).v_max == 3


def test_a_given_bound_that_overflows_is_looked_into():
    bound = torch.tensor(float("inf"))
    found = survey(Inputs(X, X, X, None, 1.0, 1.0), "raise", bounds=(bound, bound, bound))
    assert found.v_max == pytest.approx(X.abs().max().item())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_the_largest_value_is_the_largest_in_size(dtype):
    assert sizes_of(torch.tensor([1, -3, 2], dtype=dtype)) == [3.0]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 7, 99])
def test_one_bad_number_anywhere_makes_it_not_finite(bad, place):
    x = torch.ones(100)
    x[place] = bad
    assert not math.isfinite(sizes_of(x)[0])


def test_readings_of_unlike_dtypes_are_read_together():
    flag, number = torch.tensor(True), torch.tensor(1e300, dtype=torch.float64)
    assert read(flag, number, torch.tensor([[1], [2]])) == [True, 1e300, [[1], [2]]]


def test_readings_from_a_gpu_come_together_and_keep_shape_and_kind(monkeypatch):
    # the way that a GPU's readings go, walked here with tensors of the CPU
    monkeypatch.setattr(torch.Tensor, "is_cpu", False)
    flag, number = torch.tensor(True), torch.tensor(1e300, dtype=torch.float64)
    given = read(flag, number, torch.tensor([[1], [2]]))
    assert given == [True, 1e300, [[1], [2]]] and isinstance(given[2][0][0], int)


def test_the_first_bad_argument_is_counted_and_located():
    x = torch.tensor([[1.0, math.inf], [math.nan, 2.0]])
    with pytest.raises(ValueError, match=r"k must .*got 2 that .*first is inf at index \[0, 1\]"):
        refuse_non_finite(q=(torch.ones(1), 1.0), k=(x, math.nan))

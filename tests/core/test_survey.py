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
from attn_lab.core import fast_paths, projections, scores, softmax, survey
from attn_lab.core.inputs import Inputs


@pytest.fixture
def count_readings(monkeypatch):
    calls = []
    for module in (survey, scores, softmax, projections):
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
    monkeypatch.setattr(fast_paths, "PAYS_FROM", pays_from)
    call()
    assert len(count_readings) == 1


def test_a_refused_row_is_found_in_that_one_reading(count_readings):
    with pytest.raises(ValueError, match="query 1"):
        attention(X, X, X, allowed=HOLES)
    assert len(count_readings) == 1


def look(q, k, v, scale=1.0):
    return survey.survey(Inputs(q, k, v, None, scale, 1.0), "raise")


def test_scores_fit_unless_the_largest_numbers_could_meet():
    assert look(X, X, X).scores_fit
    large = X.clone()
    large[0, 0] = 1e30
    assert look(large, X, X).scores_fit and look(X, large, X).scores_fit
    assert not look(large, large, X).scores_fit
    assert not look(large, X, X, scale=1e10).scores_fit
    assert look(large, large, X, scale=1e-30).scores_fit


def test_the_width_and_the_scaled_query_count_too():
    x = torch.full((1, 4), 1e19)  # each product 1e38, four of them beyond float32
    assert not look(x, x, x).scores_fit and look(x[:, :1], x[:, :1], x).scores_fit
    assert not look(x * 1e11, x * 1e-30, x, scale=1e10).scores_fit  # 1e40 times 1e-11


def test_the_largest_value_is_found():
    assert look(X, X, X * 0 - 3).v_max == 3


def test_a_given_bound_that_overflows_is_looked_into():
    bound = torch.tensor(float("inf"))
    found = survey.survey(Inputs(X, X, X, None, 1.0, 1.0), "raise", sizes=(bound, bound, bound))
    assert found.scores_fit and found.v_max == pytest.approx(X.abs().max().item())

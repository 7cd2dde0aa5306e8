import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attn_lab import attention, causal_mask, masked_softmax
from attn_lab.core.checks import fit

TRUE = torch.tensor(True)


def give(allowed, *scores_shape):
    return masked_softmax(torch.zeros(scores_shape), allowed)


@pytest.mark.parametrize(
    "shape", [(3, 4), (2, 5, 3, 4), (2, 1, 3, 4), (1, 5, 1, 4), (2, 1, 1, 4), (1, 1, 3, 1)]
)
def test_two_axes_or_the_scores_rank_are_welcome(shape):
    assert give(TRUE.expand(shape), 2, 5, 3, 4).shape == (2, 5, 3, 4)


@pytest.mark.parametrize(
    ("shape", "advice"),
    [
        ((2, 3, 4), r"With heads write allowed\[:, None\]"),
        ((5, 3, 4), r"With heads write allowed\[:, None\]"),
        ((2, 4), r"one row of keys per sequence write allowed\[:, None, None, :\]"),
        ((4, 3), r"write allowed\.transpose\(-2, -1\)"),
        ((2, 5, 4, 3), r"write allowed\.transpose\(-2, -1\)"),
        ((4,), r"write allowed\.expand\(3, 4\)"),
        ((1, 4), r"Rows are queries, columns are keys"),
        ((7, 5, 3, 4), r"check the axes before them, batch and heads"),
        ((1, 1, 1, 3, 4), r"check the axes before them, batch and heads"),
    ],
)
def test_any_other_shape_is_refused_with_what_to_write_instead(shape, advice):
    with pytest.raises(ValueError, match=r"allowed needs shape \[3, 4\], or 4 axes.*" + advice):
        give(TRUE.expand(shape), 2, 5, 3, 4)


def test_torchs_mask_of_all_heads_in_one_axis_is_refused_with_how_to_lay_it_out():
    blocked = torch.ones(6, 4, 4, dtype=torch.bool).triu(1)  # [B * n_heads, T_q, T_k]
    with pytest.raises(ValueError, match=r"write allowed\.unflatten\(0, \(2, -1\)\)\.$"):
        give(~blocked, 2, 3, 4, 4)
    give((~blocked).unflatten(0, (2, -1)), 2, 3, 4, 4)


def test_a_mask_may_not_enlarge_the_scores():
    with pytest.raises(ValueError, match=r"each equal or 1\); got \[2, 3, 4\]"):
        give(TRUE.expand(2, 3, 4), 1, 3, 4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.uint8])
def test_numbers_are_refused_as_a_mask_and_the_converters_named(dtype):
    with pytest.raises(TypeError, match=r"must be a Boolean.*from_additive.*from_attention_mask"):
        give(torch.ones(3, 4, dtype=dtype), 3, 4)


def test_a_list_is_refused_with_what_to_write():
    with pytest.raises(TypeError, match=r"allowed must be a torch.Tensor.*torch\.as_tensor\(allow"):
        give([[True]], 1, 1)


def test_many_empty_rows_are_counted_and_the_first_five_named():
    allowed = torch.zeros(2, 4, 3, dtype=torch.bool)
    with pytest.raises(ValueError) as caught:
        give(allowed, 2, 4, 3)
    words = str(caught.value)
    assert "8 fully masked rows: query 1 (index [0, 0]), query 2 (index [0, 1])" in words
    assert "query 1 (index [1, 0]) and 3 more" in words


def test_a_single_row_of_scores_has_a_name_too():
    with pytest.raises(ValueError, match="1 fully masked row: the only row"):
        give(torch.tensor([False, False]), 2)


def test_the_mask_is_never_written_to():
    allowed = torch.tensor([[True, False], [False, False]])
    masked_softmax(torch.zeros(2, 2), allowed, fully_masked="zero")
    assert allowed.tolist() == [[True, False], [False, False]]


# --- the glance that spares the checks one by one ---

SHAPES = st.lists(st.integers(0, 2), max_size=4).map(tuple)
KINDS = [
    lambda shape: torch.ones(shape),
    lambda shape: torch.ones(shape),
    lambda shape: torch.ones(shape, dtype=torch.float64),
    lambda shape: torch.ones(shape, dtype=torch.int64),
    lambda shape: torch.ones(shape, dtype=torch.bool),
    lambda shape: torch.ones(shape, device="meta"),
    lambda shape: torch.ones(shape).to_sparse(),
    lambda shape: torch.nn.Parameter(torch.ones(shape)),
    lambda shape: [1.0],
]


@given(st.tuples(*[st.sampled_from(KINDS)] * 3), st.tuples(SHAPES, SHAPES, SHAPES), st.booleans())
def test_what_fits_at_a_glance_passes_the_checks_one_by_one(kinds, shapes, alike):
    q, k, v = (
        kind(shapes[0] if alike else shape) for kind, shape in zip(kinds, shapes, strict=True)
    )
    if fit._fit_at_a_glance(q, k, v):
        fit.check_queries_and_keys(q, k, v=v)
        assert v.shape[-2] == k.shape[-2]


@given(st.sampled_from(KINDS), SHAPES)
def test_a_mask_that_fits_at_a_glance_passes_its_check_as_it_is(kind, shape):
    q, k = torch.ones(2, 1, 2), torch.ones(2, 2, 2)
    allowed = kind(shape)
    if fit._fits_at_a_glance(allowed, q, k):
        assert fit.check_allowed(allowed, [2, 1, 2], q.device) is allowed


def test_what_nearly_every_call_brings_needs_no_check_one_by_one(monkeypatch):
    monkeypatch.delattr(fit, "check_queries_and_keys")
    monkeypatch.delattr(fit, "check_allowed")
    for shape in ((4, 2), (2, 3, 4, 2)):
        x = torch.ones(shape)
        attention(x, x, x, allowed=causal_mask(4))
    attention(torch.ones(3, 2), torch.ones(5, 2), torch.ones(5, 7))
    with pytest.raises(NameError, match="check_queries_and_keys"):
        attention(torch.ones(3, 2), torch.ones(5, 3), torch.ones(5, 7))

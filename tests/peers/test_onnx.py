"""Attention against the cases by which ONNX tests its own node."""

from collections import Counter

import torch

from attn_lab import (
    attention,
    causal_mask,
    masked_softmax,
    merge_heads,
    padding_mask,
    scaled_scores,
    tiled_attention,
)

# The node rounds to the cases' dtype at every step, this package once at the end.
CLOSE = {torch.float32: 1e-6, torch.float16: 1e-3, torch.bfloat16: 1e-2}


def assert_close(got, expected):
    difference = {"rtol": 0, "atol": CLOSE[expected.dtype]}
    torch.testing.assert_close(got.to(expected.dtype), expected, **difference)


def assert_output(case, output):
    assert_close(merge_heads(output) if case.merged else output, case.output)


def test_no_case_is_missing(onnx_cases):
    cases = onnx_cases.values()
    assert Counter(case.bias is not None for case in cases) == {False: 44, True: 38}
    inside = Counter(case.inside[0] for case in cases if case.inside)
    assert inside == {"scores": 3, "biased scores": 7, "weights": 5}
    assert sum(case.merged for case in cases) == 21
    dead = [case for case in cases if case.allowed is not None and not case.allowed.any(-1).all()]
    assert len(dead) == 7


def test_attention_gives_the_nodes_output(unbiased):
    case = unbiased
    given = {"allowed": case.allowed, "scale": case.scale, "fully_masked": "zero"}
    output, weights = attention(case.q, case.k, case.v, **given)
    assert output.dtype == case.q.dtype
    assert_output(case, output)
    without = attention(case.q, case.k, case.v, need_weights=False, **given)
    assert without.weights is None
    assert_output(case, without.output)
    assert_output(case, tiled_attention(case.q, case.k, case.v, block_size=2, **given))
    if case.inside:
        shown = {"scores": scaled_scores(case.q, case.k, scale=case.scale), "weights": weights}
        step, expected = case.inside
        assert_close(shown[step], expected)


def test_the_pieces_with_a_bias_between_them_give_the_nodes_output(biased):
    case = biased
    scores = scaled_scores(case.q, case.k, scale=case.scale)
    added = scores + case.bias
    weights = masked_softmax(added, case.allowed, fully_masked="zero")
    assert_output(case, weights @ case.v.to(weights.dtype))
    if case.inside:
        closed = added.masked_fill(~case.allowed, -torch.inf)
        shown = {"scores": scores, "biased scores": closed, "weights": weights}
        step, expected = case.inside
        assert_close(shown[step], expected)


def test_without_kept_keys_the_node_is_causal_from_the_upper_left(onnx_cases):
    case = onnx_cases["4d_causal"]
    allowed = causal_mask(4, 6, align="upper_left")
    assert_output(case, attention(case.q, case.k, case.v, allowed=allowed).output)


def test_after_kept_keys_the_node_is_causal_from_the_lower_right(onnx_cases):
    case = onnx_cases["4d_causal_with_past_and_present"]
    allowed = causal_mask(4, 7, align="lower_right")
    assert_output(case, attention(case.q, case.k, case.v, allowed=allowed).output)


def test_one_query_after_kept_keys_reads_all_real_ones(onnx_cases):
    case = onnx_cases["4d_gqa_causal_nonpad_decode"]
    allowed = padding_mask(case.allowed.sum(-1).flatten(), 8)[:, None]
    assert_output(case, attention(case.q, case.k, case.v, allowed=allowed).output)

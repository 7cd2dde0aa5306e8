"""The inputs lie far enough apart that what is right on some of them only is refused."""

import math
from copy import deepcopy
from statistics import mean

import pytest
import torch

from attn_lab import causal_mask
from attn_lab.grade import check
from attn_lab.grade.graders import GRADERS
from attn_lab.grade.naming import outcome
from attn_lab.grade.sandbox import same


def row(reference):
    def softmax(scores):
        parts = [math.exp(score - reference(scores)) for score in scores]
        return [part / sum(parts) for part in parts]

    return softmax


@pytest.mark.parametrize(
    "reference", [min, lambda s: s[0], lambda s: s[-1], mean, lambda s: sorted(s)[len(s) // 2]]
)
def test_a_row_may_have_nothing_subtracted_but_its_largest_score(reference):
    verdict = check("softmax_row", row(reference))
    assert (verdict.passed, verdict.mistake) == (False, "other_than_maximum")


def test_the_largest_score_may_be_subtracted_with_a_constant():
    assert check("softmax_row", row(lambda scores: max(scores) + 1)).passed


def divided_by(root):
    def attention(q, k, v):
        weights = (q @ k.mT / root(q.shape[-1])).softmax(-1)
        return weights @ v, weights

    return attention


@pytest.mark.parametrize("root", [lambda d: 2, lambda d: d / 2, math.log2])
def test_what_is_the_root_at_one_width_is_refused_at_another(root):
    verdict = check("attention", divided_by(root))
    assert not verdict.passed and "keys of width 9" in verdict.message
    assert check("attention", divided_by(math.sqrt)).passed


def tile_by_tile(start=-math.inf, skips=lambda scores: False):
    def online(tiles):
        highest, total, mixed = start, 0.0, 0.0
        for scores, values in tiles:
            now = max(highest, scores.max().item())
            if now == -math.inf or skips(scores):
                continue
            parts, kept = (scores - now).exp(), math.exp(highest - now)
            total, mixed = total * kept + parts.sum(), mixed * kept + parts @ values
            highest = now
        return mixed / total

    return online


@pytest.mark.parametrize(
    ("function", "mistake"),
    [
        (tile_by_tile(start=0.0), "maximum_from_zero"),
        (tile_by_tile(skips=lambda scores: scores.isinf().any()), ""),
        (tile_by_tile(skips=lambda scores: scores[0].isinf()), ""),
        (tile_by_tile(skips=lambda scores: scores[-1].isinf()), ""),
    ],
)
def test_a_tile_is_read_as_far_as_it_is_open_and_from_any_score(function, mistake):
    verdict = check("online_softmax", function)
    assert (verdict.passed, verdict.mistake) == (False, mistake)
    assert check("online_softmax", tile_by_tile()).passed


def test_a_row_of_tiles_without_a_maximum_is_named_after_plain_pythons_overflow():
    def without_maximum(tiles):
        parts = [[math.exp(score) for score in scores.tolist()] for scores, _ in tiles]
        weights = torch.tensor([part for each in parts for part in each]).double()
        return weights @ torch.cat([values for _, values in tiles]) / sum(map(sum, parts))

    assert check("online_softmax", without_maximum).mistake == "tiles_without_maximum"


def layer(mask=lambda allowed: allowed, root=math.sqrt):
    def multi_head(x, w_q, w_k, w_v, w_o, n_heads, allowed):
        heads = (x @ w for w in (w_q, w_k, w_v))
        q, k, v = (each.unflatten(-1, (n_heads, -1)).transpose(-3, -2) for each in heads)
        scores = q @ k.mT / root(q.shape[-1])
        weights = scores.masked_fill(~mask(allowed), -math.inf).softmax(-1)
        return (weights @ v).transpose(-3, -2).flatten(-2) @ w_o, weights

    return multi_head


def test_a_layer_must_use_the_mask_that_it_is_given():
    causal = check("multi_head", layer(lambda allowed: causal_mask(len(allowed))))
    assert (causal.passed, causal.mistake) == (False, "heads_always_causal")
    unused = check("multi_head", layer(torch.ones_like))
    assert (unused.passed, unused.mistake) == (False, "heads_without_mask")


def test_a_layer_divides_by_the_root_at_every_width_of_a_head():
    assert not check("multi_head", layer(root=lambda d: math.sqrt(2))).passed
    assert check("multi_head", layer()).passed


@pytest.mark.parametrize("name", GRADERS)
def test_no_function_of_ours_changes_the_inputs_that_all_of_them_share(name):
    grader = GRADERS[name]
    before = [deepcopy(dict(case.arguments)) for case in grader.cases]
    outcome.cache_clear()
    for functions in (grader.right, *(known.functions for known in grader.mistakes)):
        for case in grader.cases:
            outcome(functions, case, grader)
    for case, kept in zip(grader.cases, before, strict=True):
        assert all(same(value, kept[name]) for name, value in case.arguments.items())


@pytest.mark.parametrize("name", GRADERS)
def test_each_thing_that_a_function_may_take_is_tried_without_the_others(name):
    grader = GRADERS[name]
    may = [set(case.arguments) & set(grader.optional) for case in grader.cases]
    assert all({each} in may for each in grader.optional)


def test_a_mask_or_a_temperature_without_a_default_is_given_one_that_changes_nothing():
    def plain(q, k, v, allowed, temperature):
        scores = q @ k.mT / q.shape[-1] ** 0.5 / temperature
        empty = ~allowed.any(-1, keepdim=True)
        weights = scores.masked_fill(~allowed & ~empty, -math.inf).softmax(-1) * ~empty
        return weights @ v, weights

    verdict = check("attention", plain)
    assert verdict.passed and "a temperature of 4 under a mask" in verdict.message, verdict.message

"""Right implementations pass, however they are written: loops, einsum, fused, the library's own."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import attn_lab
from attn_lab.grade import check
from attn_lab.grade.graders import GRADERS, grade
from attn_lab.grade.interruption import in_thread
from attn_lab.grade.naming import outcome


def row_in_python(scores):
    highest = max(scores)
    parts = [math.exp(score - highest) for score in scores]
    return [part / sum(parts) for part in parts]


def row_in_numpy(scores):
    parts = np.exp(np.array(scores) - np.max(scores))
    return parts / parts.sum()


def row_by_logsumexp(scores):
    row = torch.tensor(scores)  # float32
    return (row - row.logsumexp(0)).exp()


def mask_by_loops(T_q, T_k):
    return torch.tensor([[j <= i for j in range(T_k)] for i in range(T_q)])


def mask_by_tril(T_q, T_k):
    return torch.ones(T_q, T_k, dtype=torch.bool).tril()


def mask_by_comparison(T_q, T_k):
    return torch.arange(T_q)[:, None] >= torch.arange(T_k)


def attention_by_loops(q, k, v):
    if q.dim() > 2:
        both = [attention_by_loops(*each) for each in zip(q, k, v, strict=True)]
        return torch.stack([o for o, _ in both]), torch.stack([w for _, w in both])
    root = len(k[0]) ** 0.5
    weights = [row_in_python([float(a @ b) / root for b in k]) for a in q]
    output = [[sum(w * x for w, x in zip(row, v[:, c], strict=True)) for c in range(v.shape[1])]
              for row in weights]  # fmt: skip
    return torch.tensor(output), torch.tensor(weights)


def attention_by_einsum(q, k, v, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", q, k) / math.sqrt(q.shape[-1])
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    empty = ~allowed.any(-1, keepdim=True)
    scores = scores.masked_fill(~allowed & ~empty, -math.inf)
    weights = scores.softmax(-1).masked_fill(empty, 0.0)
    return torch.einsum("...qk,...kv->...qv", weights, v), weights


def attention_fused(q, k, v, mask):  # the mask under another name, and without a default
    eye = torch.eye(k.shape[-2], dtype=v.dtype).expand(*k.shape[:-2], -1, -1)
    legal = mask & mask.any(-1, keepdim=True)
    fused = partial(scaled_dot_product_attention, q, k, attn_mask=legal)
    empty = ~mask.any(-1, keepdim=True)
    return fused(v).masked_fill(empty, 0), fused(eye).masked_fill(empty, 0)


def attention_in_numpy(q, k, v, allowed=None):
    q, k, v = map(np.asarray, (q, k, v))
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
    legal = np.ones_like(scores, bool) if allowed is None else np.asarray(allowed)
    scores = np.where(legal, scores, -1e300)
    parts = np.exp(scores - scores.max(-1, keepdims=True)) * legal
    weights = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-300)
    return weights @ v, weights


def attention_with_a_scale(q, k, v, scale=None):
    return attention_by_einsum(q if scale is None else q * scale, k, v)


def both_by_loops(lengths, T):
    return torch.tensor([[[j <= i and j < n for j in range(T)] for i in range(T)] for n in lengths])


def both_by_comparison(lengths, T):
    at = torch.arange(T)
    return (at < torch.tensor(lengths)[:, None])[:, None] & (at <= at[:, None])


def both_by_minimum(lengths, T):
    at = torch.arange(1, T + 1)
    return at <= torch.minimum(at[:, None], torch.tensor(lengths)[:, None, None])


def both_by_the_library(lengths, T):
    return attn_lab.padding_mask(lengths, T) & attn_lab.causal_mask(T)


def split_by_columns(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1), dim=-3)


def split_by_unflatten(x, n_heads):
    return x.unflatten(-1, (n_heads, -1)).transpose(-3, -2)


def split_by_moving(x, n_heads):
    return x.reshape(*x.shape[:-1], n_heads, -1).movedim(-2, -3)


def merge_by_columns(heads):
    return torch.cat(heads.unbind(-3), dim=-1)


def merge_by_flatten(heads):
    return heads.transpose(-3, -2).flatten(-2)


def merge_by_moving(heads):
    rows = heads.movedim(-3, -2)
    return rows.reshape(*rows.shape[:-2], -1)


def layer_head_by_head(x, w_q, w_k, w_v, w_o, n_heads, allowed):
    mixed, maps = [], []
    for q, k, v in zip(*((x @ w).chunk(n_heads, -1) for w in (w_q, w_k, w_v)), strict=True):
        scores = q @ k.mT / q.shape[-1] ** 0.5
        maps.append(scores.masked_fill(~allowed, -math.inf).softmax(-1))
        mixed.append(maps[-1] @ v)
    return torch.cat(mixed, -1) @ w_o, torch.stack(maps, -3)


def layer_by_einsum(x, w_q, w_k, w_v, w_o, n_heads, allowed=None):
    q, k, v = (split_by_unflatten(x @ w, n_heads) for w in (w_q, w_k, w_v))
    output, weights = attention_by_einsum(q, k, v, allowed)
    w_o = w_o.unflatten(0, (n_heads, -1))
    return torch.einsum("...htd,hdm->...tm", output, w_o), weights


def layer_fused(x, w_q, w_k, w_v, w_o, n_heads, mask):
    q, k, v = (split_by_unflatten(x @ w, n_heads) for w in (w_q, w_k, w_v))
    output, weights = attention_fused(q, k, v, mask)
    return merge_by_flatten(output) @ w_o, weights


def tiles_in_turn(tiles):
    highest, total, mixed = -math.inf, 0.0, 0.0
    for scores, values in tiles:
        now = max(highest, scores.max().item())
        if now == -math.inf:
            continue
        parts, kept = (scores - now).exp(), math.exp(highest - now)
        total, mixed = total * kept + parts.sum(), mixed * kept + parts @ values
        highest = now
    return mixed / total


def tiles_in_two_readings(tiles):
    highest = max(scores.max().item() for scores, _ in tiles)
    total, mixed = 0.0, 0.0
    for n in range(len(tiles)):
        parts = (tiles[n][0] - highest).exp()
        total, mixed = total + parts.sum(), mixed + parts @ tiles[n][1]
    return mixed / total


def tiles_by_numbers(tiles):
    highest, total, mixed = None, 0.0, [0.0] * tiles[0][1].shape[1]
    for scores, values in tiles:
        for score, value in zip(scores.tolist(), values.tolist(), strict=True):
            if score == -math.inf:
                continue
            now = score if highest is None else max(score, highest)
            kept = 0.0 if highest is None else math.exp(highest - now)
            part, highest = math.exp(score - now), now
            total = total * kept + part
            mixed = [m * kept + part * x for m, x in zip(mixed, value, strict=True)]
    return [m / total for m in mixed]


RIGHT = {
    "softmax_row": (row_in_python, row_in_numpy, row_by_logsumexp),
    "causal_mask": (mask_by_loops, mask_by_tril, mask_by_comparison),
    "attention": (
        attention_by_loops,
        attention_by_einsum,
        attention_fused,
        attention_in_numpy,
        attn_lab.attention,  # refuses a query with nothing to read, which is as right
        partial(attn_lab.attention, fully_masked="zero"),
    ),
    "padding_and_causal": (
        both_by_loops,
        both_by_comparison,
        both_by_minimum,
        both_by_the_library,
    ),
    "split_merge_heads": (
        (split_by_columns, merge_by_columns),
        (split_by_unflatten, merge_by_flatten),
        (split_by_moving, merge_by_moving),
        (attn_lab.split_heads, attn_lab.merge_heads),
    ),
    "multi_head": (layer_head_by_head, layer_by_einsum, layer_fused),
    "online_softmax": (tiles_in_turn, tiles_in_two_readings, tiles_by_numbers),
}
PAIRS = [(name, way) for name, ways in RIGHT.items() for way in ways]


@pytest.mark.parametrize(("name", "way"), PAIRS, ids=lambda x: getattr(x, "__name__", None))
def test_a_right_implementation_passes(name, way):
    verdict = check(name, way)
    assert verdict.passed, verdict.message
    assert verdict.mistake == ""


def test_every_grader_is_given_three_ways_at_least():
    assert {name: len(ways) >= 3 for name, ways in RIGHT.items()} == dict.fromkeys(GRADERS, True)


def test_a_mask_and_a_temperature_are_graded_only_where_the_function_takes_them():
    def tried(function):
        return check("attention", function).message.split("\n\n")[1]

    assert "mask" not in tried(attention_by_loops)
    assert "mask" in tried(attention_by_einsum) and "temperature" not in tried(attention_by_einsum)
    assert "mask" in tried(attention_fused)
    assert "mask" not in tried(attention_with_a_scale)
    assert "a temperature of 4" in tried(attn_lab.attention)


def test_nothing_tried_is_not_passed():
    finding = grade(replace(GRADERS["softmax_row"], cases=()), (row_in_python,))
    assert finding.difference is not None


@pytest.fixture
def guarded(monkeypatch):
    """The calls that were made in a thread of their own."""
    calls = []

    def counted(run, *more):
        calls.append(run)
        return in_thread(run, *more)

    monkeypatch.setattr("attn_lab.grade.sandbox.in_thread", counted)
    outcome.cache_clear()
    return calls


@pytest.mark.parametrize("name", GRADERS)
def test_a_grading_makes_as_many_guarded_calls_as_it_has_inputs(name, guarded):
    for known in GRADERS[name].mistakes[:2]:
        functions = known.functions[0] if len(known.functions) == 1 else known.functions
        guarded.clear()
        assert check(name, functions).mistake == known.name
        assert len(guarded) == len(GRADERS[name].cases)


def test_an_input_that_a_function_does_not_take_costs_no_call(guarded):
    check("attention", lambda q, k, v: (v, q @ k.mT))
    plain = [case for case in GRADERS["attention"].cases if len(case.arguments) == 3]
    assert len(guarded) == len(plain) < len(GRADERS["attention"].cases)

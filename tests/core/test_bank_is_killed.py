"""This folder's tests kill every wrong implementation of the bank.

Each is put in the place of the function that it stands in for, and the tests of that function are
run on it. Tests that an unchecked but right implementation fails too (those of refusals) do not
count.
"""

import inspect
import runpy
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from attn_lab import MultiHeadAttention, attention, causal_mask, masks, merge_heads, split_heads
from attn_lab.core.attention import AttentionResult
from attn_lab.core.tiles import tile_steps
from attn_lab.grade.mistakes import BANK
from attn_lab.grade.mistakes.wrong_tiles import running

F64 = torch.float64
HERE = Path(__file__).parent
# The tests that speak for each group, and the name of what they test.
SUITES = {
    "attention": (
        "attention",
        ["test_attention", "test_traps_of_masks", "test_traps_of_numbers"],
    ),
    "mask": ("causal_mask", ["test_masks"]),
    "padding": ("padding_mask", ["test_masks"]),
    "split": ("split_heads", ["test_heads"]),
    "merge": ("merge_heads", ["test_heads"]),
    "heads": ("MultiHeadAttention", ["test_multihead"]),
}


def unchecked_attention(q, k, v, allowed=None, temperature=1.0):
    return attention(q, k, v, allowed=allowed, temperature=temperature, fully_masked="zero")


def unchecked_heads(x, w_q, w_k, w_v, w_o, n_heads, allowed=None):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    mixed, weights = attention(q, k, v, allowed=allowed, fully_masked="zero")
    return AttentionResult(merge_heads(mixed) @ w_o, weights)


RIGHT = {
    "attention": unchecked_attention,
    "mask": lambda T_q, T_k: causal_mask(T_q, T_k, align="upper_left"),
    "padding": lambda lengths, T_k: masks.padding_mask(lengths, T_k),
    "split": split_heads,
    "merge": merge_heads,
    "heads": unchecked_heads,
}


def in_its_place(group, run):
    """The implementation as the tests call it."""
    if group == "attention":

        def stand_in(q, k, v, *, allowed=None, temperature=1.0, scale=None, **_):
            if scale is not None:  # the bank knows no scale but the usual one
                q = q * (scale * q.shape[-1] ** 0.5)
            return run(q, k, v, allowed, temperature)

        return stand_in
    if group == "mask":
        return lambda T_q, T_k=None, align="upper_left", **_: (
            run(T_q, T_q if T_k is None else T_k)
            if align == "upper_left"
            else causal_mask(T_q, T_k, align=align)
        )
    if group == "split":  # the bank's have no batch
        return lambda x, n_heads: torch.stack(
            [run(one, n_heads) for one in x.reshape(-1, *x.shape[-2:])]
        ).reshape(*x.shape[:-2], *run(x.reshape(-1, *x.shape[-2:])[0], n_heads).shape)
    if group == "merge":
        return lambda x: torch.stack([run(one) for one in x.reshape(-1, *x.shape[-3:])]).reshape(
            *x.shape[:-3], *run(x.reshape(-1, *x.shape[-3:])[0]).shape
        )
    if group == "heads":
        return type("StandIn", (HeadsByBank,), {"run": staticmethod(run)})
    return run


class HeadsByBank(MultiHeadAttention):
    """The module with its arithmetic replaced; a bias is one more column of ones."""

    def forward(self, x, memory=None, *, allowed=None, **_):
        def matrix(w):
            return torch.cat((w.weight.T, w.bias[None]))

        ones = torch.cat((x, torch.ones_like(x[..., :1])), -1)
        projections = [matrix(w) for w in (self.w_q, self.w_k, self.w_v)]
        results = [
            self.run(one, *projections, self.w_o.weight.T, self.n_heads, allowed) for one in ones
        ]
        return AttentionResult(
            torch.stack([r.output for r in results]) + self.w_o.bias,
            torch.stack([r.weights for r in results]),
        )


def calls_of(test, oracle):
    """The calls that pytest would make of a test, none if it needs hypothesis or more fixtures."""
    if hasattr(test, "hypothesis"):
        return
    needed, sets = set(inspect.signature(test).parameters), []
    if "numpy_attention" in needed:
        needed.remove("numpy_attention")
        sets.append([{"numpy_attention": oracle}])
    for mark in getattr(test, "pytestmark", []):
        if mark.name == "parametrize":
            names = mark.args[0] if not isinstance(mark.args[0], str) else [mark.args[0]]
            values = [v if len(names) > 1 else [v] for v in mark.args[1]]
            sets.append([dict(zip(names, value, strict=True)) for value in values])
            needed -= set(names)
    if needed:
        return
    for chosen in product(*sets):
        arguments = {name: value for each in chosen for name, value in each.items()}
        yield partial(test, **arguments)


def outcomes(group, run, oracle):
    """Whether each test passes with the implementation in its place, one after another."""
    name, files = SUITES[group]
    for file in files:
        scope = runpy.run_path(str(HERE / f"{file}.py"))
        tests = [each for key, each in scope.items() if key.startswith("test_")]
        tests[0].__globals__[name] = in_its_place(group, run)
        for test in tests:
            for number, call in enumerate(calls_of(test, oracle)):
                try:
                    call()
                    passed = True
                except (Exception, pytest.fail.Exception):
                    passed = False
                yield f"{file}::{test.__name__} {number}", passed


@cache
def what_a_right_one_passes(group, oracle):
    return {test for test, passed in outcomes(group, RIGHT[group], oracle) if passed}


@pytest.mark.parametrize("group", SUITES)
def test_a_right_implementation_passes_what_speaks_for_its_group(group, numpy_attention):
    assert len(what_a_right_one_passes(group, numpy_attention)) >= 2


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "entry", [entry for entry in BANK if entry.group in SUITES], ids=lambda entry: entry.name
)
def test_a_wrong_implementation_is_killed(entry, numpy_attention):
    counts = what_a_right_one_passes(entry.group, numpy_attention)
    tests = outcomes(entry.group, entry.run, numpy_attention)
    assert any(test in counts and not passed for test, passed in tests)


@pytest.mark.parametrize(
    "entry", [entry for entry in BANK if entry.group == "share"], ids=lambda entry: entry.name
)
def test_wrongly_shared_key_heads_are_killed_by_torchs_own_sharing(entry):
    q, k = torch.randn(4, 3, 2, dtype=F64), torch.randn(2, 3, 2, dtype=F64)
    expected = scaled_dot_product_attention(q, k, k, enable_gqa=True)
    right, wrong = k.repeat_interleave(2, 0), entry.run(k, 4)
    torch.testing.assert_close(attention(q, right, right).output, expected)
    assert not torch.allclose(attention(q, wrong, wrong).output, expected)


def agrees_with_tile_steps(run):
    for scores, blocked in (([1.0, 3, 2, 5], 0), ([9.0, 9, 2, 5], 2), ([0.1, 0.2, 0.3, 0], 0)):
        q, k = torch.ones(1, 1, dtype=F64), torch.tensor(scores, dtype=F64)[:, None]
        allowed = torch.arange(4)[None] >= blocked
        v = torch.tensor([[10, 0], [0, 20], [40, 10], [30, 50]], dtype=F64)
        step = tile_steps(q, k, v, allowed=allowed, scale=1.0, block_size=2)[-1]
        given = run(k[:, 0].masked_fill(~allowed[0], -torch.inf), v, 2)
        expected = [step.maximum.item(), step.factor.item(), step.total.item(), *step.output[0]]
        if [*given[:3], *given[3]] != pytest.approx([float(x) for x in expected], abs=1e-12):
            return False
    return True


def test_the_right_running_softmax_agrees_with_the_record():
    assert agrees_with_tile_steps(running)


@pytest.mark.parametrize(
    "entry", [entry for entry in BANK if entry.group == "tiles"], ids=lambda entry: entry.name
)
def test_a_wrong_running_softmax_is_killed(entry):
    assert not agrees_with_tile_steps(entry.run)


def test_every_group_is_spoken_for():
    assert {entry.group for entry in BANK} == {*SUITES, "share", "tiles"}

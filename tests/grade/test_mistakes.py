import math
import tomllib
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
import torch

import attn_lab
from attn_lab import attention, causal_mask, merge_heads, padding_mask, split_heads
from attn_lab.core.attention import AttentionResult
from attn_lab.grade.mistakes import BANK, GROUPS, in_group, mistake
from attn_lab.grade.mistakes.wrong_tiles import running
from tests.helpers.tensors import random

F64 = torch.float64
Q = torch.tensor([[0, -1], [1, 0], [0, 1], [1, -2]], dtype=F64)  # the places of notebook 05
K = torch.tensor([[1, 0], [0, 1], [-2, -1], [3, 2]], dtype=F64)
V = torch.tensor([[10, 0], [0, 20], [40, 10], [30, 50]], dtype=F64)
EMPTY = torch.tensor([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 0, 1], [0, 1, 1, 1]]).bool()


def right_attention(q, k, v, allowed=None, temperature=1.0):
    return attention(q, k, v, allowed=allowed, temperature=temperature, fully_masked="zero")


def right_heads(x, w_q, w_k, w_v, w_o, n_heads, allowed=None):
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    mixed, weights = attention(q, k, v, allowed=allowed, fully_masked="zero")
    return AttentionResult(merge_heads(mixed) @ w_o, weights)


RIGHT = {
    "attention": right_attention,
    "mask": lambda T_q, T_k: causal_mask(T_q, T_k, align="upper_left"),
    "padding": padding_mask,
    "split": split_heads,
    "merge": merge_heads,
    "share": lambda k, n_heads: k.repeat_interleave(n_heads // len(k), 0),
    "heads": right_heads,
    "tiles": running,
}
# Inputs on which any two implementations of a group that differ give different results.
SEPARATING = {
    "attention": [
        (Q, K, V, causal_mask(4), 4.0),
        (Q, K, V, EMPTY, 1.0),
        (Q, K, random(4, 3), None, 1.0),
        (Q * 1000, K, V, causal_mask(4), 1.0),
        (Q, K * 1e4, V, causal_mask(4), 1.0),
        (Q, K, V, causal_mask(4), 1000.0),
    ],
    "mask": [(3, 5)],
    "padding": [([1, 3], 5)],
    "split": [(torch.arange(32.0).reshape(4, 8), 2)],
    "merge": [(torch.arange(24.0).reshape(2, 4, 3),)],
    "share": [(torch.arange(12.0).reshape(2, 3, 2), 4)],
    "heads": [
        (random(4, 6), *(random(6, 6, seed=s) for s in (1, 2, 3, 4)), 2, allowed)
        for allowed in (causal_mask(4), ~torch.eye(4).bool())
    ],
    "tiles": [
        (torch.tensor([1.0, 3, 2, 5], dtype=F64), V, 2),
        (torch.tensor([-math.inf, -math.inf, 2, 5], dtype=F64), V, 2),
        (torch.tensor([-1000.0, -999], dtype=F64), V[:2], 1),
    ],
}


def result(run, group, arguments):
    """Everything that can be seen of one call as a flat list of numbers, or the error's name."""
    if group == "attention":
        q = arguments[0].clone().requires_grad_()
        given = run(q, *arguments[1:])
        rows = [row for row in range(4) if arguments[3] is None or arguments[3][row].any()]
        loss = given.output[rows].sum()  # rows with nothing to read are left out
        if loss.requires_grad:
            given = (*given, torch.autograd.grad(loss, q)[0])
    else:
        given = run(*arguments)
    parts = given if isinstance(given, tuple) else (given,)
    shapes = [float(n) for part in parts for n in getattr(part, "shape", ())]
    return shapes + [float(n) for part in parts for n in torch.as_tensor(part).flatten().tolist()]


@cache
def results(run, group):
    def one(arguments):
        try:
            return result(run, group, arguments)
        except (RuntimeError, IndexError, OverflowError) as error:
            return [hash(type(error).__name__)]

    return [one(arguments) for arguments in SEPARATING[group]]


def unlike(ours, theirs):
    """How far apart two results are, nan and unlike lengths counting as infinitely far."""
    if len(ours) != len(theirs):
        return math.inf
    gaps = [
        (0.0 if a == b or (math.isnan(a) and math.isnan(b)) else abs(a - b))
        for a, b in zip(ours, theirs, strict=True)
    ]
    return math.inf if any(math.isnan(gap) for gap in gaps) else max(gaps)


def furthest(ours, theirs):
    return max(unlike(a, b) for a, b in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("entry", BANK, ids=lambda entry: entry.name)
def test_it_gives_another_result_than_the_right_implementation(entry):
    right = results(RIGHT[entry.group], entry.group)
    assert furthest(results(entry.run, entry.group), right) > 1e-3


@pytest.mark.parametrize("group", GROUPS)
def test_no_two_entries_of_a_group_give_the_same(group):
    seen = {entry.name: results(entry.run, group) for entry in in_group(group)}
    alike = [(a, b) for a, b in combinations(seen, 2) if furthest(seen[a], seen[b]) < 1e-3]
    assert alike == []


def test_two_equal_entries_would_be_noticed():
    again = results.__wrapped__(mistake("no_scale").run, "attention")
    assert furthest(again, results(mistake("no_scale").run, "attention")) == 0


def test_the_names_are_unique_and_can_be_asked_for():
    assert len({entry.name for entry in BANK}) == len(BANK)
    assert all(mistake(entry.name) is entry for entry in BANK)


def test_every_entry_says_what_it_does_in_a_sentence():
    assert all(entry.says.endswith(".") and entry.says.isprintable() for entry in BANK)


def test_every_entry_stands_for_a_misconception_that_the_course_names():
    listed = Path(attn_lab.__file__).parent / "course" / "misconceptions.toml"
    known = tomllib.loads(listed.read_text(encoding="utf-8"))
    assert {entry.misconception for entry in BANK} - set(known) == set()


def test_an_unknown_name_lists_the_names_there_are():
    with pytest.raises(ValueError, match=r"called 'no_root'; the bank holds no_scale, divided_by"):
        mistake("no_root")


def test_an_unknown_group_lists_the_groups_there_are():
    with pytest.raises(ValueError, match=r"group must be one of attention, mask,.*got 'other'"):
        in_group("other")


# The article's row, and the rows that notebooks 01, 04 and 05 ask for, by hand.
@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("no_scale", [0.731, 0.269]),
        ("divided_by_d", [0.622, 0.378]),
        ("score_is_weight", [0.707, 0]),
        ("not_normalised", [2.028, 1]),
        ("hard_lookup", [1, 0]),
        ("shares_of_scores", [1, 0]),
        ("even_over_all", [0.5, 0.5]),
        ("base_two", [0.620, 0.380]),  # 2 ** 0.7071 is 1.633
        ("root_after_softmax", [0.517, 0.190]),  # no_scale's, divided by 1.4142
    ],
)
def test_on_the_articles_row_it_gives_the_weights_worked_out_by_hand(name, weights):
    q, k = torch.tensor([[1.0, 0.0]]), torch.eye(2)
    given = mistake(name).run(q, k, torch.tensor([[10.0, 0.0], [0.0, 20.0]])).weights[0]
    assert given.tolist() == pytest.approx(weights, abs=5e-4)


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("hard_lookup", [10, 0]),
        ("plain_sum", [10, 20]),
        ("even_over_legal", [5, 10]),
        ("weights_on_wrong_keys", [3.30, 13.40]),
        ("weights_are_output", [0.67, 0.33]),
        ("not_normalised", [20.28, 20]),
    ],
)
def test_on_the_articles_row_it_gives_the_output_worked_out_by_hand(name, output):
    q, k = torch.tensor([[1.0, 0.0]]), torch.eye(2)
    given = mistake(name).run(q, k, torch.tensor([[10.0, 0.0], [0.0, 20.0]])).output[0]
    assert given.tolist() == pytest.approx(output, abs=5e-3)


@pytest.mark.parametrize(
    ("name", "row_3"),
    [
        ("mask_after_softmax", [0.131, 0.266, 0.065, 0]),
        ("mask_forgotten", [0.131, 0.266, 0.065, 0.539]),
        ("no_scale", [0.245, 0.665, 0.090, 0]),
        ("transposed_product", [0.734, 0.088, 0.178, 0]),
        ("even_over_legal", [1 / 3, 1 / 3, 1 / 3, 0]),
        ("even_over_all", [0.25] * 4),
        ("hard_lookup", [0, 1, 0, 0]),
        ("hard_lookup_over_all", [0, 0, 0, 1]),
    ],
)
def test_on_the_places_row_3_is_the_near_miss_of_notebook_05(name, row_3):
    weights = mistake(name).run(Q, K, V, causal_mask(4), 1.0).weights
    assert weights[2].tolist() == pytest.approx(row_3, abs=6e-4)


def test_the_tiles_of_notebook_09_give_their_near_misses():
    scores, v, size = SEPARATING["tiles"][0]
    assert running(scores, v, size)[:2] == pytest.approx((5, 0.135), abs=5e-4)
    assert mistake("no_rescale").run(scores, v, size)[:2] == (5, 1)
    upside_down = mistake("rescale_reversed").run(scores, v, size)
    assert upside_down[:2] == pytest.approx((5, 7.389), abs=1e-3)
    assert mistake("maximum_frozen").run(scores, v, size)[:2] == (3, 1)
    two_tiles = torch.tensor([0.0, math.log(3)]), torch.tensor([[8.0], [4.0]]), 1
    assert running(*two_tiles).output.item() == pytest.approx(5)  # (8 + 3·4) / (1 + 3)
    # with the maximum ln 3 the first tile's part is 1/3, and the second's 1
    assert mistake("total_not_rescaled").run(*two_tiles).output.item() == pytest.approx(10 / 3)
    assert mistake("mix_not_rescaled").run(*two_tiles).output.item() == pytest.approx(9)
    assert math.isnan(mistake("first_tile_blocked").run(*SEPARATING["tiles"][1]).total)

"""A learner's function may raise, print, damage its arguments or never end: each is told apart."""

import gc
import sys
import time
import warnings
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attn_lab.grade import check
from attn_lab.grade.graders import GRADERS, grade
from attn_lab.grade.sandbox import call, same

GIVEN = {"scores": [0.5, 0.0, -1.0]}
QUICK = 0.2  # seconds


def endless(scores):
    while True:
        pass


def endless_and_stubborn(scores):
    while True:
        try:
            pass
        except:  # noqa: E722
            pass


def waits_in_c(scores):
    time.sleep(4)


def by_zero(scores):
    return scores[0] / 0


@pytest.mark.parametrize("function", [endless, endless_and_stubborn])
def test_a_loop_without_end_is_interrupted_and_python_goes_on(function):
    assert call(function, GIVEN, seconds=QUICK).ended == "interrupted"


def test_an_interruption_that_arrives_after_the_function_has_ended_is_no_error(monkeypatch):
    monkeypatch.setattr("attn_lab.grade.sandbox.in_thread", lambda run, seconds: True)
    assert call(by_zero, GIVEN).ended == "interrupted"  # nothing was kept of what it did


def test_what_waits_inside_a_library_is_said_to_run_on():
    assert call(waits_in_c, GIVEN, seconds=QUICK).ended == "running"


@pytest.mark.parametrize(("function", "said"), [(endless, "was inter"), (waits_in_c, "cannot be")])
def test_the_grader_says_which_of_the_two_it_is(function, said, monkeypatch):
    monkeypatch.setattr("attn_lab.grade.graders.call", lambda f, a, k: call(f, a, k, QUICK))
    verdict = check("softmax_row", function)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert said in verdict.message


def test_an_error_is_returned_with_the_functions_own_line():
    made = call(by_zero, GIVEN)
    assert made.ended == "raised" and isinstance(made.error, ZeroDivisionError)
    assert made.line == "return scores[0] / 0"


def test_leaving_python_is_an_error_like_any_other():
    assert isinstance(call(lambda scores: exit(), GIVEN).error, SystemExit)


class Shell:
    left = False

    def ask_exit(self):
        self.left = True


def test_ipythons_own_exit_does_not_end_the_kernel_while_code_is_graded(monkeypatch):
    shell = Shell()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    made = call(lambda scores: shell.ask_exit(), GIVEN)
    assert isinstance(made.error, SystemExit) and not shell.left
    shell.ask_exit()
    assert shell.left


def test_what_it_prints_is_kept_and_not_shown(capsys):
    made = call(lambda scores: print("0.5 0.5"), GIVEN)
    assert (made.ended, made.value, made.printed) == ("returned", None, "0.5 0.5\n")
    assert capsys.readouterr().out == ""


def test_changed_arguments_are_named_and_the_callers_own_stay():
    made = call(lambda scores: scores.sort(), GIVEN)
    assert made.damaged == ("scores",)
    assert GIVEN == {"scores": [0.5, 0.0, -1.0]}
    assert call(lambda x: x.mul_(2), {"x": torch.ones(2)}).damaged == ("x",)
    assert call(lambda x: x * 2, {"x": torch.ones(2)}).damaged == ()


class Incomparable:
    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


def test_arguments_are_the_same_when_all_their_numbers_are():
    pair = (torch.ones(2), [1, torch.zeros(1)])
    assert same(pair, (torch.ones(2), [1, torch.zeros(1)]))
    assert not same(pair, (torch.ones(2), [1, torch.ones(1)]))
    assert not same(torch.ones(2), torch.ones(1))
    assert not same([1.0], [1.0, 2.0])
    assert same([torch.tensor(1.0)], [1.0]) and not same([np.float64(2)], [1.0])
    assert not same([softmax], [1.0]) and not same([torch.ones(1, 2).to_sparse()], [1.0])
    assert not same(Incomparable(), 1.0)
    assert not same([[1.0]], [1.0]) and not same(1.0, [1.0])


def softmax(scores):
    return torch.tensor(scores, dtype=torch.float64).softmax(-1)


def damaging(scores):
    weights = softmax(scores)
    scores[0] = 0.0 if scores[0] else 1.0
    return weights


def damaging_with_numbers_of_numpy(scores):
    highest = max(scores)
    for i in range(len(scores)):
        scores[i] = np.exp(scores[i] - highest)
    return [score / sum(scores) for score in scores]


def damaging_with_numbers_of_torch(scores):
    weights = softmax(scores)
    scores[:] = weights
    return weights


def pair_only(q, k, v):
    return v


@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("softmax_row", by_zero, "ZeroDivisionError"),
        ("softmax_row", by_zero, "The line: `return scores[0] / 0`"),
        ("softmax_row", lambda scores: None, "returned nothing (None)"),
        ("softmax_row", lambda scores: print(0.5), "printed “0.5” and returned nothing"),
        ("softmax_row", damaging, "scores did not survive the call"),
        ("softmax_row", damaging_with_numbers_of_numpy, "scores did not survive the call"),
        ("softmax_row", damaging_with_numbers_of_torch, "scores did not survive the call"),
        ("softmax_row", lambda scores: softmax([*scores, 0]), "shape [4], and [3] is asked for"),
        ("softmax_row", lambda scores: softmax(scores) * float("nan"), "hold nan"),
        ("softmax_row", lambda scores: "0.5", "a str came back"),
        ("softmax_row", lambda scores: (x for x in scores), "a generator came back"),
        ("softmax_row", lambda scores: [], "an empty list came back"),
        ("softmax_row", lambda scores: [[1], [1, 2]], "different lengths"),
        ("softmax_row", lambda: 1, "called with (scores) and takes ()"),
        ("softmax_row", [0.5], "a list came"),
        ("causal_mask", lambda T_q, T_k: torch.ones(T_q, T_k).tril(), "holds float32"),
        ("attention", pair_only, "Two things are asked for, output and weights"),
        ("attention", lambda q, k, v: (q @ k.mT, v[:1]), "fit in the other order"),
    ],
)
def test_the_grader_tells_it_apart(name, function, said):
    verdict = check(name, function)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert said in verdict.message


def test_a_warning_of_the_function_is_not_an_error():
    def warning(scores):
        return torch.tensor(torch.tensor(scores)).softmax(-1)  # torch warns about this

    assert check("softmax_row", warning).passed


def test_a_gradient_that_is_not_a_number_is_seen_where_the_result_is_right():
    def added(q, k, v, allowed):
        bias = torch.zeros(allowed.shape, dtype=q.dtype).masked_fill(~allowed, -torch.inf)
        weights = (q @ k.mT / q.shape[-1] ** 0.5 + bias).softmax(-1).nan_to_num()
        return weights @ v, weights

    verdict = check("attention", added)
    assert verdict.mistake == "infinity_added"
    assert "The gradient of q holds nan" in verdict.message


def test_nothing_tried_is_not_passed():
    finding = grade(replace(GRADERS["softmax_row"], cases=()), (softmax,))
    assert finding.difference is not None


def test_a_backward_pass_that_fails_is_noticed_without_a_line_of_the_grader():
    def in_place(q, k, v, allowed):
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~allowed, -1e30)
        weights = scores.softmax(-1)
        weights[~allowed.any(-1).expand(weights.shape[:-1])] = 0
        return weights @ v, weights

    verdict = check("attention", in_place)
    assert "a gradient past that query" in verdict.message and "RuntimeError" in verdict.message
    assert "The line" not in verdict.message


class MuteError(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def raising_mute(scores):
    raise MuteError


async def waited_for_by_nobody(scores):
    return scores


@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("softmax_row", raising_mute, "stopped with MuteError. The line: `raise MuteError`"),
        ("softmax_row", lambda scores: softmax(scores).flip(0).to_sparse(), "The weights differ"),
        ("causal_mask", lambda T_q, T_k: torch.ones(T_q, T_k).bool().to_sparse(), "mask differs"),
        ("softmax_row", lambda scores: Broken(), "a function came back"),
        ("softmax_row", waited_for_by_nobody, "a coroutine came back"),
    ],
)
def test_no_odd_result_ends_in_an_error_of_the_grader(name, function, said):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert said in check(name, function).message
        gc.collect()


class Broken(torch.nn.Module):
    def forward(self, scores):
        return scores[0] / 0


def test_the_line_is_found_inside_a_module_and_under_fixed_arguments():
    assert call(Broken(), GIVEN).line == "return scores[0] / 0"
    assert call(partial(by_zero), GIVEN).line == "return scores[0] / 0"

"""A learner's function may raise, print, damage its arguments or never end: each is told apart."""

import builtins
import getpass
import sys
import threading
import time
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from attn_lab.grade import check
from attn_lab.grade.sandbox import MOST, OwnOutput, call, same

GIVEN = {"scores": [0.5, 0.0, -1.0]}
QUICK = 0.2  # seconds
ended = threading.Event()


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


@pytest.fixture
def quick(monkeypatch):
    """Graders that wait as short a time as these tests do."""
    monkeypatch.setattr("attn_lab.grade.graders.call", lambda f, a, k: call(f, a, k, QUICK))


@pytest.mark.parametrize("function", [endless, endless_and_stubborn])
def test_a_loop_without_end_is_interrupted_and_python_goes_on(function):
    assert call(function, GIVEN, seconds=QUICK).ended == "interrupted"


def test_an_interruption_that_arrives_after_the_function_has_ended_is_no_error(monkeypatch):
    monkeypatch.setattr("attn_lab.grade.sandbox.in_thread", lambda run, *more: True)
    assert call(by_zero, GIVEN).ended == "interrupted"  # nothing was kept of what it did


def test_what_waits_inside_a_library_is_said_to_run_on():
    assert call(waits_in_c, GIVEN, seconds=QUICK).ended == "running"


@pytest.mark.parametrize(("function", "said"), [(endless, "was inter"), (waits_in_c, "cannot be")])
def test_the_grader_says_which_of_the_two_it_is(function, said, quick):
    verdict = check("softmax_row", function)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert said in verdict.message


def test_an_error_is_returned_with_the_functions_own_line():
    made = call(by_zero, GIVEN)
    assert made.ended == "raised" and isinstance(made.error, ZeroDivisionError)
    assert made.line == "return scores[0] / 0"


class Broken(torch.nn.Module):
    def forward(self, scores):
        return scores[0] / 0


def test_the_line_is_found_inside_a_module_and_under_fixed_arguments():
    assert call(Broken(), GIVEN).line == "return scores[0] / 0"
    assert call(partial(by_zero), GIVEN).line == "return scores[0] / 0"


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
    assert not same([max], [1.0]) and not same([torch.ones(1, 2).to_sparse()], [1.0])
    assert not same(Incomparable(), 1.0)
    assert not same([[1.0]], [1.0]) and not same(1.0, [1.0])


def talks_without_end(scores):
    while True:
        print("on and on")


def cannot_be_stopped(scores):
    while not ended.is_set():
        try:
            time.sleep(0.2)
            print("late words")
            print("late errors", file=sys.stderr)
        except BaseException:
            pass


def complains_without_end(scores):
    while True:
        print("no and no", file=sys.stderr)


@contextmanager
def abandoned():
    """A call that still runs, inside the test: pytest sets the screen anew before each one."""
    ended.clear()
    before = set(threading.enumerate())
    made = call(cannot_be_stopped, GIVEN, seconds=QUICK)
    (thread,) = set(threading.enumerate()) - before
    try:
        yield made, thread
    finally:
        ended.set()
        for each in set(threading.enumerate()) - before:
            each.join()
        call(lambda scores: scores, GIVEN)  # takes away what stood before the screen for it


def test_of_endless_printing_the_beginning_is_kept_and_it_is_said_that_there_was_more(quick):
    made = call(talks_without_end, GIVEN, seconds=QUICK)
    assert made.ended == "interrupted"
    assert len(made.printed) == MOST and made.printed.startswith("on and on\non and on\n")
    said = check("softmax_row", talks_without_end).message
    assert "it printed “on and on on and on" in said
    assert "(the beginning of more than is kept)" in said


def test_of_endless_errors_the_beginning_is_shown(capsys):
    made = call(complains_without_end, GIVEN, seconds=QUICK)
    assert (made.ended, made.printed) == ("interrupted", "")
    shown = capsys.readouterr()
    assert shown.out == "" and len(shown.err) == MOST and shown.err.startswith("no and no\n")


def test_what_goes_on_after_the_verdict_prints_nowhere(capsys):
    with abandoned() as (made, thread):
        assert made.ended == "running"
        capsys.readouterr()
        time.sleep(0.5)
        print("ours")
        assert thread.is_alive()
        assert capsys.readouterr() == ("ours\n", "")


def test_the_next_function_is_not_told_that_it_printed_this():
    def patient(scores):
        time.sleep(0.5)

    with abandoned():
        assert call(patient, GIVEN, seconds=2).printed == ""


def test_once_it_has_ended_the_screen_is_as_it_was():
    with abandoned():
        assert isinstance(sys.stdout, OwnOutput)
    assert not isinstance(sys.stdout, OwnOutput) and not isinstance(sys.stderr, OwnOutput)


def test_what_other_threads_print_meanwhile_is_shown(capsys):
    def asks_another(scores):
        other = threading.Thread(target=lambda: print("elsewhere"))
        other.start()
        other.join()

    assert call(asks_another, GIVEN).printed == ""
    assert capsys.readouterr().out == "elsewhere\n"


def test_it_is_said_that_a_function_may_catch_its_own_interruption(quick):
    with abandoned():
        said = check("softmax_row", cannot_be_stopped).message
    assert "waits inside a library, or it catches every error, the interruption too" in said


def asks(scores):
    return float(input("which? "))


def asks_and_catches(scores):
    while True:
        try:
            return float(input("which? "))
        except:  # noqa: E722
            print("a number, please")


def asks_secretly(scores):
    return getpass.getpass()


def looks_around(scores):
    breakpoint()


def reads_what_is_typed(scores):
    return [float(line) for line in sys.stdin]


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (asks, "input"),
        (asks_and_catches, "input"),
        (asks_secretly, "getpass"),
        (looks_around, "breakpoint"),
        (reads_what_is_typed, "sys.stdin"),
    ],
)
def test_a_function_that_asks_a_person_is_told_at_once(function, named):
    before = builtins.input, getpass.getpass, sys.breakpointhook, sys.stdin
    verdict = check("softmax_row", function)
    assert (verdict.passed, verdict.mistake) == (False, "")
    assert f"The function calls `{named}`, and nobody answers" in verdict.message
    assert "loop" not in verdict.message
    assert (builtins.input, getpass.getpass, sys.breakpointhook, sys.stdin) == before


def test_a_function_that_asks_is_not_waited_for():
    begun = time.monotonic()
    assert call(asks_and_catches, GIVEN, seconds=60).asked == "input"
    assert time.monotonic() - begun < 30

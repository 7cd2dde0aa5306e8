"""What a function prints is kept from its beginning, and never shown after the verdict."""

import sys
import threading
import time
from contextlib import contextmanager

from attn_lab.grade import check
from attn_lab.grade.sandbox import MOST, OwnOutput, call

GIVEN = {"scores": [0.5, 0.0, -1.0]}
QUICK = 0.2  # seconds
ended = threading.Event()


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


def test_of_endless_printing_the_beginning_is_kept_and_it_is_said_that_there_was_more(monkeypatch):
    made = call(talks_without_end, GIVEN, seconds=QUICK)
    assert made.ended == "interrupted"
    assert len(made.printed) == MOST and made.printed.startswith("on and on\non and on\n")
    monkeypatch.setattr("attn_lab.grade.graders.call", lambda f, a, k: call(f, a, k, QUICK))
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


def test_it_is_said_that_a_function_may_catch_its_own_interruption(monkeypatch):
    monkeypatch.setattr("attn_lab.grade.graders.call", lambda f, a, k: call(f, a, k, QUICK))
    with abandoned():
        said = check("softmax_row", cannot_be_stopped).message
    assert "waits inside a library, or it catches every error, the interruption too" in said

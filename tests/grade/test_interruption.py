"""An interruption ends a function, and leaves no trace wherever it arrives."""

import gc
import subprocess
import sys
import threading
import time

import pytest

from attn_lab.grade import interruption
from attn_lab.grade.interruption import in_thread

given_up = threading.Event()


@pytest.fixture
def uncaught(monkeypatch):
    """What a thread of ours was not able to catch, while threads take turns very quickly."""
    seen = []
    usual = sys.getswitchinterval()
    # Another library's call at each garbage collection (hypothesis has one) is no line of ours:
    # an interruption that arrives there ends that call alone, and is said by unraisablehook.
    theirs = gc.callbacks[:]
    gc.callbacks.clear()
    sys.setswitchinterval(1e-6)
    monkeypatch.setattr(threading, "excepthook", lambda args: seen.append(args.exc_type))
    monkeypatch.setattr(sys, "unraisablehook", lambda args: seen.append(args.exc_type))
    yield seen
    gc.callbacks.extend(theirs)
    sys.setswitchinterval(usual)


def caught(body):
    """The same, as the sandbox calls it: whatever is raised is kept."""

    def run():
        try:
            body()
        except BaseException:
            for _ in range(50_000):  # our own lines, in which the next interruption may arrive
                pass

    return run


def endless():
    while True:
        pass


def stubborn():
    while not given_up.is_set():
        try:
            time.sleep(0)
        except BaseException:
            pass


@pytest.mark.parametrize("body", [endless, stubborn])
def test_an_interruption_that_arrives_in_our_own_lines_shows_no_error(body, uncaught, monkeypatch):
    monkeypatch.setattr(interruption, "BETWEEN", 0.0)  # as many as can be, as fast as can be
    given_up.clear()
    before = set(threading.enumerate())
    for _ in range(60):
        in_thread(caught(body), 0.0)
    given_up.set()
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
    assert uncaught == []


def test_a_function_that_ends_just_as_its_time_does_shows_no_error(uncaught):
    for number in range(100):
        in_thread(caught(lambda: time.sleep(0.001)), 0.001 + number * 1e-5)
    assert uncaught == []


def test_nobody_waits_where_waiting_is_of_no_use():
    asked = []

    def run():
        asked.append("input")
        endless()

    begun = time.monotonic()
    assert in_thread(caught(run), 60.0, lambda: bool(asked))
    assert time.monotonic() - begun < 30


WATCHED = """
import sys, threading
from attn_lab.grade.interruption import in_thread

def work():
    for _ in range(10):
        pass

def run():
    try:
        while True:
            pass
    except BaseException:
        work()

def watch(*_):
    return watch

in_thread(work, 1.0)
for start in (sys.setprofile, sys.settrace):
    start(watch)
    work()
    start(None)
for start in (threading.setprofile, threading.settrace):
    start(watch)
    assert in_thread(run, 0.1)
    start(None)
print("done")
"""


def test_a_profiler_or_a_debugger_meets_nothing_that_was_left_behind():
    run = [sys.executable, "-c", WATCHED]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("done\n", "")

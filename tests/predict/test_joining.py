"""Joining says what leaves the laptop, and leaving keeps the rest here."""

import pytest

from attn_lab.predict import join, joining, leave
from attn_lab.predict.joining import LEFT, NOT_SENT
from attn_lab.record import outbox
from attn_lab.record.post import Outcome

TEXT = "http://127.0.0.1:9#KX7Q-2MWD"


@pytest.fixture(autouse=True)
def wakes(monkeypatch):
    """A class that lets everybody in, and no thread."""
    monkeypatch.delenv("ATTN_LAB_CLASS", raising=False)
    monkeypatch.setattr(outbox, "knock", lambda here: Outcome("sent"))
    calls = []
    monkeypatch.setattr(outbox._sender, "wake", lambda: calls.append("woken"))
    return calls


@pytest.fixture
def said(monkeypatch):
    lines = []
    monkeypatch.setattr(joining, "show", lambda *things: lines.extend(map(repr, things)))
    return lines


def test_joining_says_in_one_line_what_leaves(said, wakes):
    join(TEXT)
    assert said[0].startswith("Joined. From now on your answers and how sure you are, not your")
    join(TEXT, because=True)
    assert "and your reasons go to" in said[1] and len(said) == 2 and wakes


def test_leaving_keeps_here_what_comes_and_sends_what_came(said, wakes):
    join(TEXT)
    wakes.clear()
    leave()
    assert said[-1] == LEFT and outbox.current() is None and wakes == ["woken"]


def test_a_class_of_the_environment_can_be_left_in_the_first_cell(said, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_CLASS", TEXT)
    leave()
    assert outbox.current() is None


@pytest.mark.parametrize("text", ["KX7Q", "http://127.0.0.1:9/desk#KX7Q-2MWD", "", None])
def test_a_string_that_is_none_is_one_calm_line_and_joins_nothing(said, text):
    join(text)
    assert said[0].startswith("Not joined: class: expected the whole string that the instructor")
    assert said[0].endswith("Copy it again, with its end.") and len(said) == 1
    assert outbox.current() is None


def test_where_results_are_always_shown_nothing_is_joined(said, always, wakes, own_store):
    join(TEXT)
    leave()
    assert said[0] == NOT_SENT and wakes == [] and not own_store.exists()

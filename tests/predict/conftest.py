"""A store of its own for each test, an exercise of each kind, and what a cell displays."""

import pytest

from attn_lab.course.misconceptions import Misconception
from attn_lab.predict import wording
from attn_lab.predict.ask import Exercise

from ..helpers.questions import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES

LATE = Misconception("late", "Late", "zero it afterwards", "It holds without a sum.", "what adds?")


@pytest.fixture(autouse=True)
def one_misconception(own_store, monkeypatch):
    monkeypatch.setattr(wording, "misconceptions", lambda: {"late": LATE})


@pytest.fixture
def always(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_REVEAL", "always")


@pytest.fixture
def shown(monkeypatch):
    """Everything that is displayed, in order."""
    seen = []
    monkeypatch.setattr("IPython.display.display", lambda thing, **more: seen.append(thing))
    return seen


@pytest.fixture
def numbers():
    return Exercise(NUMBERS)


@pytest.fixture
def choice():
    return Exercise(CHOICE)


@pytest.fixture
def cells():
    return Exercise(CELLS)


@pytest.fixture
def shape():
    return Exercise(SHAPE)


@pytest.fixture
def shapes():
    return Exercise(SHAPES)

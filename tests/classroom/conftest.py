"""Four questions, a room over them and a way to fill it, for the tests of the classroom."""

import pytest

from attn_lab.classroom.database import ClassDatabase
from attn_lab.classroom.incoming import Incoming
from attn_lab.classroom.room import Room
from attn_lab.course.forms import NearMiss, Option, Question


def _question(id, kind, **fields):
    common = {"prompt": "What then?", "depth": "class", "statements": ("S26",), "minutes": 4}
    return Question(id=id, kind=kind, explanation="Because.", **(common | fields))


RIPPLE = _question(
    "04/ripple",
    "choice",
    discuss=True,
    ask_next="What is in the denominator?",
    options=(
        Option("row-4", "Row 4 alone", "…"),
        Option("all", "Every row", "…", "future-flows-back"),
        Option("column", "Column 4", "…", "axes-swapped"),
    ),
)
FIRST_ROW = _question(
    "05/first-row",
    "numbers",
    labels=("key 1", "key 2", "key 3", "key 4"),
    tolerance=0.01,
    near_misses=(
        NearMiss("zeroed after softmax", [0.266, 0, 0, 0], "…", "mask-after-softmax"),
        NearMiss("mask forgotten", [0.266, 0.266, 0.266, 0.202], "…", "mask-forgotten"),
    ),
)
LEGAL = _question(
    "04/legal",
    "cells",
    rows=("query 1", "query 2"),
    columns=("key 1", "key 2"),
    near_misses=(NearMiss("not itself", [[0, 0], [1, 0]], "…", "not-itself"),),
)
SPLIT = _question(
    "07/split",
    "shape",
    labels=("one head",),
    near_misses=(NearMiss("heads last", [4, 64, 8], "…", "axes-swapped"),),
)


@pytest.fixture
def ripple():
    return RIPPLE


@pytest.fixture
def first_row():
    return FIRST_ROW


@pytest.fixture
def legal():
    return LEGAL


@pytest.fixture
def split():
    return SPLIT


@pytest.fixture
def course():
    return {question.id: question for question in (RIPPLE, FIRST_ROW, LEGAL, SPLIT)}


@pytest.fixture
def room(tmp_path, course):
    database = ClassDatabase(f"sqlite:///{tmp_path}/class.sqlite")
    yield Room(database, course)
    database.engine.dispose()


@pytest.fixture
def fill(room):
    def answers(n=5, answer="all", round=1, exercise="04/ripple", start=0):
        for i in range(start, start + n):
            id = f"{exercise}-{round}-{i:05}".replace("/", "-")
            room.take(f"learner {i}", Incoming(id, exercise, round, False, answer, "certain"))

    return answers

"""A room over four questions and a way to fill it, for the tests of the classroom."""

import itertools

import pytest

from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.room import Room
from attn_lab.classroom.wire import Answer
from tests.helpers.class_server import FIRST_ROW, LEGAL, RIPPLE, SPLIT, Served


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
            given = Answer(id, exercise, round, False, answer, "certain")
            room.take(f"learner {i}", given, vote="first" if round == 1 else "second")

    return answers


@pytest.fixture
def commit(room):
    """Commit one learner's answer, which the room takes as it stands: "saved" or "late"."""
    ids = (f"commit-{n:06}" for n in itertools.count())

    def one(learner, answer, *, round=1, exercise="04/ripple"):
        given = Answer(next(ids), exercise, round, False, answer, "certain")
        return room.take(f"learner {learner}", given)

    return one


@pytest.fixture
def served(tmp_path, course):
    running = Served(f"sqlite:///{tmp_path}/class.sqlite", course)
    yield running
    running.close()


@pytest.fixture
def answer():
    """The body of an answer that is right in every field, but for what is changed."""

    def body(n=1, **changes):
        fields = {"id": f"answer-{n:06}", "exercise": "04/ripple", "round": 1, "seen": False}
        return fields | {"answer": "all", "confidence": "certain"} | changes

    return body

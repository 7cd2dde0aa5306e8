"""Four questions, a room over them and a way to fill it, for the tests of the classroom."""

import asyncio
import http.client
import json
import threading

import pytest

from attn_lab.classroom.database import ClassDatabase
from attn_lab.classroom.room import Room
from attn_lab.classroom.server import start
from attn_lab.classroom.wire import Answer
from attn_lab.course.forms import NearMiss, Option, Question

SECRET = "0123456789abcdef" * 2


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
            room.take(f"learner {i}", Answer(id, exercise, round, False, answer, "certain"))

    return answers


class Served:
    """A class server in a thread of its own, and requests to its two listeners."""

    def __init__(self, url, course, learner_host="127.0.0.1", **options):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = self.do(start(url, course, learner_host=learner_host, **options))
        self.code = self.server.room.code

    def do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(20)

    def close(self):
        self.do(self.server.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    def ask(self, port, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        try:
            if isinstance(body, (dict, list)):
                body = json.dumps(body).encode()
            connection.request(method, path, body, headers or {})
            reply = connection.getresponse()
            raw = reply.read()
            is_json = "json" in (reply.getheader("Content-Type") or "")
            return reply.status, json.loads(raw) if is_json else raw.decode(), reply.headers
        finally:
            connection.close()

    def learn(self, body, secret=SECRET, path="/answers", code=None, **headers):
        code = self.code if code is None else code
        own = {"Attn-Lab-Code": code, "Authorization": f"Bearer {secret}"} | headers
        return self.ask(self.server.learner_port, "POST", path, body, own)

    def enter(self):
        """Comes in by a fresh link; returns the headers that the instructor's pages send."""
        link = self.do(self.server.link())
        own = {"Origin": f"http://127.0.0.1:{self.server.instructor_port}"}
        key = {"key": link.split("#")[1]}
        status, _, headers = self.ask(self.server.instructor_port, "POST", "/enter-with", key, own)
        assert status == 200
        return own | {"Cookie": headers["Set-Cookie"].split(";")[0]}

    def lead(self, method, path, body=None, headers=None):
        return self.ask(self.server.instructor_port, method, path, body, headers)


@pytest.fixture
def served(tmp_path, course):
    running = Served(f"sqlite:///{tmp_path}/class.sqlite", course)
    yield running
    running.close()


@pytest.fixture
def answer():
    """Returns the body of an answer that is right in every field, but for what is changed."""

    def body(n=1, **changes):
        fields = {"id": f"answer-{n:06}", "exercise": "04/ripple", "round": 1, "seen": False}
        return fields | {"answer": "all", "confidence": "certain"} | changes

    return body

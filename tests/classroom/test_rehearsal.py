"""Invented learners give answers that a room could give, and every one is marked as invented."""

import asyncio
import json
import random
import time
from types import SimpleNamespace

import pytest
from msgspec.structs import asdict

from attn_lab.classroom.rehearsal import LEARNERS, rehearse
from attn_lab.classroom.wire import Answer, read_answer
from attn_lab.course.questions import questions
from tests.helpers.class_server import Served


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.id)
def test_an_invented_answer_is_one_that_the_class_would_take(question):
    draw = random.Random(1)
    for _ in range(20):
        answer = question.invented(draw)
        body = asdict(Answer("invented-0001", question.id, 1, False, answer, "guess"))
        assert read_answer(json.dumps(body).encode(), {question.id: question}).answer == answer


def test_who_is_late_when_the_instructor_moves_on_answers_at_once(tmp_path, course, monkeypatch):
    served = Served(f"sqlite:///{tmp_path}/class.sqlite", course, learner_host=None, invented=True)
    room, slept = served.server.room, []

    async def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 3:
            await served.server.work(room.move, "shown")

    async def begin():
        return asyncio.ensure_future(rehearse(served.server))

    monkeypatch.setattr("attn_lab.classroom.rehearsal.asyncio", SimpleNamespace(sleep=sleep))
    served.do(served.server.work(room.move, "first", "04/ripple"))
    task = served.do(begin())
    deadline = time.monotonic() + 20
    while len(served.do(served.server.work(room.database.rows))) < LEARNERS:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert len(slept) == 3
    served.loop.call_soon_threadsafe(task.cancel)
    served.close()


def test_thirty_answer_each_round_that_is_opened_marked_as_invented(tmp_path, course):
    served = Served(f"sqlite:///{tmp_path}/class.sqlite", course, learner_host=None, invented=True)

    async def begin():
        return asyncio.ensure_future(rehearse(served.server, seconds=0.3))

    task = served.do(begin())
    headers = served.enter()

    def lead(to):
        served.lead("POST", "/control", {"do": "move", "to": to, "exercise": "04/ripple"}, headers)
        deadline = time.monotonic() + 20
        want = LEARNERS * (1 if to == "first" else 2)
        while time.monotonic() < deadline:
            rows = served.do(served.server.work(served.server.room.database.rows))
            if len(rows) >= want:
                return rows
            time.sleep(0.05)
        raise AssertionError(f"{len(rows)} of {want} answers")

    lead("first")
    rows = lead("second")
    assert len(rows) == 2 * LEARNERS
    assert {row["invented"] for row in rows} == {True}
    assert len({row["learner"] for row in rows}) == LEARNERS
    both = {row["learner"]: row["answer"] for row in rows if row["round"] == 1}
    kept = sum(both[row["learner"]] == row["answer"] for row in rows if row["round"] == 2)
    assert 0 < kept < LEARNERS
    served.loop.call_soon_threadsafe(task.cancel)
    served.close()

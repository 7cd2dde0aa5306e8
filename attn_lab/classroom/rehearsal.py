"""Invented learners, so that an instructor can practise the clicks once before a class.

They answer whenever a round is opened, within half a minute, and are marked as invented. Those
who hold a wrong idea in round 1 leave it half of the time, as people who have talked do.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import Mapping
from typing import Any

from attn_lab.classroom.server.listeners import ClassServer
from attn_lab.classroom.wire import Answer
from attn_lab.course.codes import CONFIDENCES
from attn_lab.course.kinds import Question

LEARNERS = 30
SECONDS = 25.0
LEAVES = 0.5
RIGHT, RIGHT_LATER = 0.3, 0.6  # how often an answer is the computed one, at first and after talk


async def rehearse(server: ClassServer, *, seconds: float = SECONDS, seed: int = 0) -> None:
    """Answer each round that the instructor opens, until it is cancelled."""
    draw = random.Random(seed)
    first: dict[str, dict[int, Any]] = {}
    done: tuple[str, float] | None = None
    for who in range(LEARNERS):
        await server.work(server.room.database.join, f"invented {who:02}")
    server.bell.ring()
    while True:
        state = server.room.state
        now = (state.phase, state.since)
        if state.exercise and state.phase in ("first", "second") and now != done:
            done = now
            question = server.room.course[state.exercise]
            known = first.setdefault(question.id, {})
            round = 1 if state.phase == "first" and not known else 2
            for who in draw.sample(range(LEARNERS), LEARNERS):
                moved_on = (server.room.state.phase, server.room.state.since) != now
                if not moved_on:  # who is late when the instructor moves on answers at once
                    await asyncio.sleep(draw.expovariate(LEARNERS / seconds))
                answer = _answer(question, draw, known.get(who), server.room.right)
                known.setdefault(who, answer)
                sure = draw.choice(CONFIDENCES)
                id = str(uuid.UUID(int=draw.getrandbits(128)))
                given = Answer(id, question.id, round, False, answer, sure)
                await server.work(_take, server, who, given, state.phase)
                server.bell.ring()
        await server.bell.wait(server.bell.rung, at_most=1.0)


def _answer(question: Question, draw: random.Random, before: Any, right: Mapping[str, Any]) -> Any:
    if before is not None and draw.random() > LEAVES:
        return before
    if question.id in right and draw.random() < (RIGHT if before is None else RIGHT_LATER):
        return question.read_computed(right[question.id])
    return question.invented(draw)


def _take(server: ClassServer, who: int, given: Answer, vote: str) -> None:
    server.room.take(f"invented {who:02}", given, invented=True, vote=vote)

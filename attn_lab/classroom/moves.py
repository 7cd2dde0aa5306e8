"""Which ideas moved between the two rounds and which survived."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from attn_lab.classroom.privacy import HIDE_BELOW
from attn_lab.classroom.room import Room
from attn_lab.classroom.rounds import rounds_of


@dataclass(frozen=True)
class Idea:
    """One misconception in one exercise, counted in people who answered alone first.

    `held` in the first round; of them `survived` gave it again, `moved` gave another answer, and
    the rest gave no second one. `arrived` gave it only in the second round.
    """

    exercise: str
    misconception: str
    held: int
    survived: int
    moved: int
    arrived: int


def ideas(room: Room) -> list[Idea]:
    """Returns the ideas that at least three people held in some round, in the course's order."""
    found = []
    for question in room.course.values():
        rounds = rounds_of(room.database.rows(question.id))
        first, second = rounds.votes(question)
        before = {
            who: vote.group.misconception for who, vote in zip(rounds.first, first, strict=True)
        }
        after = {
            who: vote.group.misconception for who, vote in zip(rounds.second, second, strict=True)
        }
        held = Counter(idea for idea in before.values() if idea)
        again = Counter(idea for who, idea in before.items() if idea and after.get(who) == idea)
        left = Counter(
            idea for who, idea in before.items() if idea and who in after and after[who] != idea
        )
        came = Counter(
            idea for who, idea in after.items() if idea and who in before and before[who] != idea
        )
        for idea in sorted(held | came, key=lambda idea: (-held[idea], idea)):
            if max(held[idea], again[idea] + came[idea]) >= HIDE_BELOW:
                counts = (held[idea], again[idea], left[idea], came[idea])
                found.append(Idea(question.id, idea, *counts))
    return found

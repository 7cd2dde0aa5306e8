"""Which ideas moved between the two rounds and which survived."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from attn_lab.classroom.privacy import HIDE_BELOW, shown
from attn_lab.classroom.room import Room
from attn_lab.classroom.rounds import rounds_of
from attn_lab.classroom.sights import idea_name


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


def told(room: Room) -> list[dict[str, Any]]:
    """Returns the ideas with their names, as every table and picture may tell them.

    A count of one or two people is None. `silent` held the idea and gave no second answer.
    """
    return [_told(idea) for idea in ideas(room)]


def _told(idea: Idea) -> dict[str, Any]:
    counts = asdict(idea) | {"silent": idea.held - idea.survived - idea.moved}
    hidden = {key: shown(n) if isinstance(n, int) else n for key, n in counts.items()}
    return hidden | {"name": idea_name(idea.misconception)}

"""One moment of a class: all that its pages tell, read at once and counted when it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from attn_lab.classroom.count.tally import Given, Tally, tally
from attn_lab.classroom.server.agenda import Agenda
from attn_lab.classroom.server.state import State
from attn_lab.course.kinds import Question


@dataclass(frozen=True)
class View:
    """What the room holds at one moment; nothing in it changes when the room goes on.

    `given` belongs to the exercise that the room is at, as does `hidden`, the keys of the answers
    that the stage leaves out; `counts` says how many answered each.
    """

    state: State
    closed: bool
    joined: int
    join: str
    invented: bool
    trouble: str
    course: Collection[Question]
    counts: Counter[str]
    given: Given | None
    hidden: frozenset[str]
    agenda: Agenda
    notes: Mapping[str, str]

    @cached_property
    def tally(self) -> Tally | None:
        """The votes counted, None where no exercise is open."""
        return tally(self.given) if self.given else None

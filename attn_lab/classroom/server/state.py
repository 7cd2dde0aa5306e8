"""What a room is doing: the phases that the instructor leads it through, and the vote in each."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, replace

from attn_lab.classroom.count.votes import FIRST, LATE, SECOND

PHASES = ("waiting", "first", "discuss", "second", "shown")


@dataclass(frozen=True)
class State:
    """One moment of a class. `since` is when the phase began, in seconds of the server's clock.

    `told` says whether the stage shows which answer was computed: in the phase "shown" alone.
    """

    phase: str = "waiting"
    exercise: str | None = None
    since: float = 0.0
    told: bool = False


def step(state: State, to: str, exercise: str | None, known: Collection[str]) -> State:
    """The state after the instructor's word.

    Raises: ValueError for a phase or an exercise that does not exist.
    """
    if to not in PHASES:
        raise ValueError(f"phase: expected one of {', '.join(PHASES)}; got {to!r}.")
    if to == "waiting":
        return State(since=time.time())
    exercise = exercise or state.exercise
    if exercise not in known:
        raise ValueError(f"exercise: this course has no {exercise!r}. Choose one from the list.")
    return State(to, exercise, time.time())


def tell(state: State, told: bool) -> State:
    """The state once the stage shows, or no longer shows, which answer was computed.

    Raises: ValueError where both rounds are not on the stage.
    """
    if state.phase != "shown":
        raise ValueError("tell: the stage shows no answers yet. Press 4 to show both rounds.")
    return replace(state, told=told)


def vote_in(phase: str) -> str:
    """The vote that a phase opens; talking or seeing the bars closes it.

    >>> vote_in("first"), vote_in("discuss")
    ('first', 'late')
    """
    return phase if phase in (FIRST, SECOND) else LATE

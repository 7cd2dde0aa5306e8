"""What the room is doing: which exercise is open, which round, and what the stage shows."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import Any

PHASES = ("waiting", "first", "discuss", "second", "shown")


@dataclass(frozen=True)
class State:
    """One moment of a class. `since` is when the phase began, in seconds of the server's clock."""

    phase: str = "waiting"
    exercise: str | None = None
    since: float = 0.0

    def plain(self) -> dict[str, Any]:
        """Returns the state as plain values."""
        return asdict(self)


def step(state: State, to: str, exercise: str | None, known: Collection[str]) -> State:
    """Returns the state after the instructor's word.

    Raises: ValueError for a phase or an exercise that does not exist.
    """
    if to not in PHASES:
        raise ValueError(f"phase: expected one of {', '.join(PHASES)}; got {to!r}.")
    if to == "waiting":
        return State(since=time.time())
    exercise = exercise or state.exercise
    if exercise not in known:
        raise ValueError(f"exercise: this course has no {exercise!r}. Choose one from the list.")
    return replace(state, phase=to, exercise=exercise, since=time.time())

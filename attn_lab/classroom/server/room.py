"""The room: one class's questions, answers, and what it is doing.

Everything here runs in one thread, the one that may touch the database.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from attn_lab.classroom.count.tally import Tally, Votes, by_source, known_hands, tally
from attn_lab.classroom.server.admission import Newcomers, class_string, new_code, new_salt
from attn_lab.classroom.server.class_database import SEATS, ClassDatabase
from attn_lab.classroom.wire import Answer
from attn_lab.course.codes import Decoded, read_chat
from attn_lab.course.kinds import Group, Question

PHASES = ("waiting", "first", "discuss", "second", "shown")
MOST_CODES = 2000
FULL = "The class is full: newcomers wait, and those who are in it go on."


@dataclass(frozen=True)
class State:
    """One moment of a class. `since` is when the phase began, in seconds of the server's clock."""

    phase: str = "waiting"
    exercise: str | None = None
    since: float = 0.0


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
    return replace(state, phase=to, exercise=exercise, since=time.time())


class Room:
    """One class. What it keeps is in the database, so that a restarted server goes on."""

    def __init__(
        self, database: ClassDatabase, course: Mapping[str, Question], *, invented: bool = False
    ) -> None:
        self.database, self.course, self.invented = database, course, invented
        self.trouble, self.newcomers = "", Newcomers()
        self.address = ""  # where learners reach this class, "" where they cannot
        self.invitation = ""  # said in place of an address, on a Hub
        self.salt: str = self._kept("salt", new_salt)
        self.code: str = self._kept("code", new_code)
        self.state = State(**database.get("state", {}))
        self.codes = [_decoded(**one) for one in database.get("codes", [])]
        self.hands: dict[str, dict[str, dict[str, int]]] = database.get("hands", {})
        self.computed: dict[str, str] = database.get("computed", {})

    def cookie_secret(self) -> str:
        """What signs the pages' cookies: kept, so that they outlive this process."""
        return hmac.new(self.salt.encode(), b"cookies", hashlib.sha256).hexdigest()

    def take(
        self, learner: str, answer: Answer, *, invented: bool = False, source: str | None = None
    ) -> str:
        """Save one answer; see `ClassDatabase.save`. `source` is the address of a newcomer."""
        try:
            outcome = self.database.save(
                learner, answer, invented=invented, may_sit=partial(self._may_sit, source)
            )
        except SQLAlchemyError:
            self.trouble = "Answers cannot be written: the class's database is full or away."
            raise
        self.trouble = ""
        return outcome

    def join(self, learner: str, source: str | None = None) -> str:
        """Keep a seat; see `ClassDatabase.join`."""
        return self.database.join(learner, may_sit=partial(self._may_sit, source))

    def troubles(self) -> str:
        """What the instructor should know, "" when all is well."""
        full = FULL if self.database.joined() >= SEATS else ""
        return " ".join(filter(None, [self.trouble, full, self.newcomers.says()]))

    def join_string(self) -> str:
        """What learners paste, or a sentence, or "" where no network leads here."""
        return class_string(self.address, self.code) if self.address else self.invitation

    def move(self, to: str, exercise: str | None = None) -> None:
        """Follow the instructor's word; raises ValueError as `step` does."""
        self.state = step(self.state, to, exercise, self.course)
        self.database.put("state", asdict(self.state))

    def paste(self, text: str) -> dict[str, int]:
        """Read the codes of a whole chat in place of those read before; the chat is not kept."""
        read = read_chat(text, self.course.values())[:MOST_CODES]
        self.codes = [code for code in read if code]
        self.database.put("codes", [asdict(code) for code in self.codes])
        return {"read": len(self.codes), "unreadable": len(read) - len(self.codes)}

    def raise_hands(self, exercise: str, round: int, counts: Any) -> None:
        """Keep a count of raised hands; raises ValueError for what is no such count."""
        if exercise not in self.course or round not in (1, 2):
            raise ValueError("exercise and round: expected one of the course's, and 1 or 2.")
        known = known_hands(self.course[exercise], counts)
        self.hands.setdefault(exercise, {})[str(round)] = known
        self.database.put("hands", self.hands)

    def mark(self, exercise: str, key: str | None) -> None:
        """Keep which bar the instructor says is the computed answer, or none."""
        if exercise not in self.course or not (key is None or isinstance(key, str)):
            raise ValueError("exercise and key: expected one of the course's, and a bar's key.")
        self.computed.pop(exercise, None)
        if key is not None:
            self.computed[exercise] = key[:200]
        self.database.put("computed", self.computed)

    def tally(self, exercise: str) -> Tally:
        """Both rounds of one exercise."""
        return tally(*self._given(exercise))

    def votes(self, exercise: str) -> tuple[Votes, Votes]:
        """The votes of both rounds of one exercise, by their source."""
        return by_source(*self._given(exercise))

    def _given(self, exercise: str) -> tuple[Any, ...]:
        rows, hands = self.database.rows(exercise), self.hands.get(exercise, {})
        marked = self.computed.get(exercise)
        return self.course[exercise], rows, self.codes, hands, marked

    def _may_sit(self, source: str | None) -> bool:
        return source is None or self.newcomers.allow(source)

    def _kept(self, key: str, make: Any) -> Any:
        value = self.database.get(key)
        if value is None:
            value = make()
            self.database.put(key, value)
        return value


def _decoded(exercise: str, group: dict[str, Any], confidence: str, round: int) -> Decoded:
    return Decoded(exercise, Group(**group), confidence, round)

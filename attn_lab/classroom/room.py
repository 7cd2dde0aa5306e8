"""The room: one class's questions, answers and state.

Everything here runs in one thread, the one that may touch the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from attn_lab.classroom.database import SEATS, ClassDatabase
from attn_lab.classroom.joining import class_string, new_code
from attn_lab.classroom.newcomers import Newcomers
from attn_lab.classroom.pseudonyms import new_salt
from attn_lab.classroom.state import State, step
from attn_lab.classroom.tally import Tally, Votes, by_source, known_hands, tally
from attn_lab.classroom.wire import Answer
from attn_lab.course.answer_groups import Group
from attn_lab.course.forms import Question
from attn_lab.course.response_codes import Decoded, read_chat

MOST_CODES = 2000
FULL = "The class is full: newcomers wait, and those who are in it go on."


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

    def take(
        self, learner: str, answer: Answer, *, invented: bool = False, source: str | None = None
    ) -> str:
        """Saves one answer; see `ClassDatabase.save`. `source` is the address of a newcomer."""
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
        """Keeps a seat; see `ClassDatabase.join`."""
        return self.database.join(learner, may_sit=partial(self._may_sit, source))

    def troubles(self) -> str:
        """Returns what the instructor should know, "" when all is well."""
        full = FULL if self.database.joined() >= SEATS else ""
        return " ".join(filter(None, [self.trouble, full, self.newcomers.says()]))

    def join_string(self) -> str:
        """Returns what learners paste, or a sentence, or "" where no network leads here."""
        return class_string(self.address, self.code) if self.address else self.invitation

    def move(self, to: str, exercise: str | None = None) -> None:
        """Follows the instructor's word; raises ValueError as `state.step` does."""
        self.state = step(self.state, to, exercise, self.course)
        self.database.put("state", self.state.plain())

    def paste(self, text: str) -> dict[str, int]:
        """Reads the codes of a whole chat in place of those read before; the chat is not kept."""
        read = read_chat(text, self.course.values())[:MOST_CODES]
        self.codes = [code for code in read if code]
        self.database.put("codes", [asdict(code) for code in self.codes])
        return {"read": len(self.codes), "unreadable": len(read) - len(self.codes)}

    def raise_hands(self, exercise: str, round: int, counts: Any) -> None:
        """Keeps a count of raised hands; raises ValueError for what is no such count."""
        if exercise not in self.course or round not in (1, 2):
            raise ValueError("exercise and round: expected one of the course's, and 1 or 2.")
        known = known_hands(self.course[exercise], counts)
        self.hands.setdefault(exercise, {})[str(round)] = known
        self.database.put("hands", self.hands)

    def mark(self, exercise: str, key: str | None) -> None:
        """Keeps which bar the instructor says is the computed answer, or none."""
        if exercise not in self.course or not (key is None or isinstance(key, str)):
            raise ValueError("exercise and key: expected one of the course's, and a bar's key.")
        self.computed.pop(exercise, None)
        if key is not None:
            self.computed[exercise] = key[:200]
        self.database.put("computed", self.computed)

    def tally(self, exercise: str) -> Tally:
        """Returns both rounds of one exercise."""
        return tally(*self._given(exercise))

    def votes(self, exercise: str) -> tuple[Votes, Votes]:
        """Returns the votes of both rounds of one exercise, by their source."""
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

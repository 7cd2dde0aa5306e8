"""The room: one class's questions, answers, and what it is doing.

Everything here runs in one thread, the one that may touch the database.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from attn_lab.classroom.count.chat import Chat
from attn_lab.classroom.count.tally import Given, known_hands
from attn_lab.classroom.count.votes import LATE, OWN_PACE, SECOND, Grouping
from attn_lab.classroom.server.admission import Newcomers, class_string, new_code, new_salt
from attn_lab.classroom.server.agenda import (
    LONGEST_NOTE,
    Agenda,
    at_place,
    at_question,
    begun,
    chosen,
)
from attn_lab.classroom.server.class_database import SEATS, ClassDatabase
from attn_lab.classroom.server.state import State, step, tell, vote_in
from attn_lab.classroom.server.view import View
from attn_lab.classroom.wire import Answer
from attn_lab.course.codes import Decoded
from attn_lab.course.kinds import Group, Question

FULL = "The class is full: newcomers wait, and those who are in it go on."

SESSION = 12 * 3600  # seconds; a class that is opened again after them begins anew


class Room:
    """One class. What it keeps is in the database, so that a restarted server goes on."""

    def __init__(
        self,
        database: ClassDatabase,
        course: Mapping[str, Question],
        *,
        right: Mapping[str, Any] | None = None,
        invented: bool = False,
    ) -> None:
        self.database, self.course, self.invented = database, course, invented
        self.right = right or {}  # the computed answers that are known, by exercise
        self.newcomers = Newcomers()
        self.address = ""  # where learners reach this class, "" where they cannot
        self.invitation = ""  # said in place of an address, on a Hub
        self.salt: str = self._kept("salt", new_salt)
        self.code: str = self._kept("code", new_code)
        self.began: float = self._kept("began", time.time)
        if not 0 <= time.time() - self.began < SESSION:  # the next session, or a clock set back
            self._keep(began=time.time())
        self.state = State(**database.get("state", {}))
        # of every exercise that the room was ever at: the vote that is open for it, or "late"
        begun = {self.state.exercise: vote_in(self.state.phase)} if self.state.exercise else {}
        self.votes: dict[str, str] = database.get("votes", begun)
        voted = 2 if self.state.phase in (SECOND, "shown") else 1
        of_before = {self.state.exercise: voted} if self.state.exercise else {}
        self.opened: dict[str, int] = database.get("opened", of_before)  # the vote opened last
        self.chat = Chat([_decoded(**one) for one in database.get("codes", [])])
        self.hands: dict[str, dict[str, dict[str, int]]] = database.get("hands", {})
        self.computed: dict[str, str] = database.get("computed", {})
        self.hidden: dict[str, list[str]] = database.get("hidden", {})
        self.agenda = Agenda(**database.get("agenda", {}))
        self.notes: dict[str, str] = database.get("notes", {})
        self._groupings = {id: Grouping(one, self.right.get(id)) for id, one in course.items()}

    def age(self) -> int:
        """How long ago the session began, in seconds."""
        return max(0, int(time.time() - self.began))

    def cookie_secret(self) -> str:
        """What signs the pages' cookies: kept, so that they outlive this process."""
        return hmac.new(self.salt.encode(), b"cookies", hashlib.sha256).hexdigest()

    def take(
        self,
        learner: str,
        answer: Answer,
        *,
        invented: bool = False,
        source: str | None = None,
        vote: str | None = None,
    ) -> str:
        """Save one answer in the vote that is open for it; see `ClassDatabase.save`.

        `source` is the address of a newcomer, `vote` another vote, for which it was invented.
        """
        vote = vote or self.votes.get(answer.exercise, OWN_PACE)
        may_sit = partial(self._may_sit, source)
        return self.database.save(learner, answer, vote=vote, invented=invented, may_sit=may_sit)

    def join(self, learner: str, source: str | None = None) -> str:
        """Keep a seat; see `ClassDatabase.join`."""
        return self.database.join(learner, may_sit=partial(self._may_sit, source))

    def troubles(self) -> str:
        """What the instructor should know, "" when all is well."""
        full = FULL if self.database.seats() >= SEATS else ""
        of_file = (self.database.trouble, self.database.notice)
        return " ".join(filter(None, [*of_file, full, self.newcomers.says()]))

    def join_string(self) -> str:
        """What learners paste, or a sentence, or "" where no network leads here."""
        return class_string(self.address, self.code) if self.address else self.invitation

    def move(self, to: str, exercise: str | None = None) -> None:
        """Follow the instructor's word; raises ValueError as `step` does."""
        state = step(self.state, to, exercise, self.course)
        if state.exercise is None:
            self._keep(state=state)
            return
        vote = vote_in(to)
        opened = self.opened
        if vote != LATE:
            opened = opened | {state.exercise: 2 if vote == SECOND else 1}
        self._keep(
            state=state,
            votes=self.votes | {state.exercise: vote},
            opened=opened,
            agenda=at_question(self.agenda, state.exercise),
        )

    def tell(self, computed: bool) -> None:
        """Show on the stage which answer was computed, or not; raises ValueError as `tell` does."""
        self._keep(state=tell(self.state, computed))

    def close(self) -> None:
        """Take no more answers into the vote; raises ValueError where none is open."""
        if not self.state.exercise or self.votes[self.state.exercise] == LATE:
            raise ValueError("close: no vote is open. Press 1 or 3 to open one.")
        self._keep(votes=self.votes | {self.state.exercise: LATE})

    def paste(self, text: str) -> dict[str, int]:
        """Add the codes of a chat to those read before; only they are kept, and no name.

        A code holds its learner's own round. It counts in the room's: in the first vote, until the
        second has been opened.
        """
        told = self.chat.paste(text, self.course.values(), self.opened)
        self.database.put("codes", [asdict(code) for code in self.chat.codes])
        return told

    def raise_hands(self, exercise: str, round: int, counts: Any) -> None:
        """Keep a count of raised hands; raises ValueError for what is no such count."""
        if exercise not in self.course or round not in (1, 2):
            raise ValueError("exercise and round: expected one of the course's, and 1 or 2.")
        known = known_hands(self.course[exercise], counts)
        counted = self.hands.get(exercise, {}) | {str(round): known}
        self._keep(hands=self.hands | {exercise: counted})

    def mark(self, exercise: str, key: str | None) -> None:
        """Keep which bar the instructor says is the computed answer, or none."""
        self._known_bar(exercise, "" if key is None else key)
        others = {id: of for id, of in self.computed.items() if id != exercise}
        self._keep(computed=others if key is None else others | {exercise: key[:200]})

    def hide(self, exercise: str, key: str, hidden: bool) -> None:
        """Keep whether the stage leaves out what an answer says."""
        self._known_bar(exercise, key)
        others = [each for each in self.hidden.get(exercise, []) if each != key]
        now = [*others, key[:200]] if hidden else others
        self._keep(hidden=self.hidden | {exercise: now})

    def plan(self, plan: str) -> None:
        """Choose a plan, "" for none; raises ValueError for one that the course does not have."""
        self._keep(agenda=chosen(plan))

    def begin(self) -> None:
        """Start the session's clock, or start it anew."""
        self._keep(agenda=begun(self.agenda))

    def step(self, place: int) -> None:
        """Go to a place of the plan; raises ValueError for one that it does not have."""
        self._keep(agenda=at_place(self.agenda, place))

    def note(self, exercise: str, text: str) -> None:
        """Keep the instructor's own note on an exercise."""
        self._known_bar(exercise, "")
        self._keep(notes=self.notes | {exercise: text[:LONGEST_NOTE]})

    def right_answer(self, exercise: str) -> Group | None:
        """The computed answer, None where the reference edition is not here."""
        return self._groupings[exercise].right

    def given(self, exercise: str) -> Given:
        """All that was given to one exercise, as it can be counted."""
        rows, hands = self.database.rows(exercise), dict(self.hands.get(exercise, {}))
        marked = self.computed.get(exercise)
        return Given(self._groupings[exercise], rows, tuple(self.chat.codes), hands, marked)

    def view(self) -> View:
        """What the pages may tell of this moment."""
        exercise = self.state.exercise
        return View(
            state=self.state,
            closed=exercise is not None and self.votes[exercise] == LATE,
            joined=self.database.joined(),
            join=self.join_string(),
            invented=self.invented,
            trouble=self.troubles(),
            course=tuple(self.course.values()),
            counts=Counter(self.database.counts()),
            given=self.given(exercise) if exercise else None,
            agenda=self.agenda,
            notes=dict(self.notes),
            hidden=frozenset(self.hidden.get(exercise or "", ())),
        )

    def _known_bar(self, exercise: str, key: Any) -> None:
        if exercise not in self.course or not isinstance(key, str):
            raise ValueError("exercise and key: expected one of the course's, and a bar's key.")

    def _may_sit(self, source: str | None) -> bool:
        return source is None or self.newcomers.allow(source)

    def _keep(self, **now: Any) -> None:
        """Write what has changed, all of it or nothing, and only then go by it."""
        new = {name: value for name, value in now.items() if value != getattr(self, name)}
        self.database.put_all(
            {name: asdict(v) if isinstance(v, State | Agenda) else v for name, v in new.items()}
        )
        vars(self).update(new)

    def _kept(self, key: str, make: Any) -> Any:
        value = self.database.get(key)
        if value is None:
            value = make()
            self.database.put(key, value)
        return value


def _decoded(group: dict[str, Any], **fields: Any) -> Decoded:
    return Decoded(group=Group(**group), **fields)

"""The store: what the learner answered, what was shown, what a grader said, which class it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from attn_lab.record import recovery
from attn_lab.record.attempts import (
    Attempt,
    Draft,
    Membership,
    Reveal,
    TaskResult,
    as_json,
    from_row,
    to_row,
)
from attn_lab.record.location import TROUBLES, explain, store_path
from attn_lab.record.store_file import StoreFile, Work, key
from attn_lab.record.store_tables import add_attempt, insert, replace_draft, update


class Store:
    """Saves answers so that none that was acknowledged is lost.

    `trouble` is "" when the file could be used the last time, and otherwise a sentence that says
    why answers are kept only in memory.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self._file = StoreFile(path)
        self._held: list[Any] = []  # what could not reach the file

    @property
    def notice(self) -> str:
        """That a damaged file was set aside, and where it lies, or ""."""
        return self._file.notice

    @contextmanager
    def one_action(self) -> Iterator[None]:
        """Serve all that is asked inside with one connection, and wait only once for a lock."""
        with self._file.one_action() as outermost:
            if outermost and not self._held:
                self.trouble = ""  # what an earlier action met is over, or will be met again
            yield

    def add(self, attempt: Attempt) -> Attempt:
        """Save an attempt; gives it with its round, and whether the result had been seen."""
        return self._write(attempt, add_attempt)

    def attempts(self, exercise: str | None = None) -> list[Attempt]:
        """The attempts at one exercise, or at all, in the order in which they were saved."""
        return self._read(Attempt, **({} if exercise is None else {"exercise": exercise}))

    def latest(self, exercise: str) -> Attempt | None:
        """The last attempt at an exercise, or None."""
        return next(reversed(self.attempts(exercise)), None)

    def say_afterwards(self, attempt: Attempt, text: str) -> bool:
        """Keep what the learner would say now; False where the attempt has been forgotten."""
        return self._update(attempt, afterwards=text)

    def mark_sent(self, attempt: Attempt, sent: str, refusal: str = "") -> bool:
        """Note where an attempt stands on its way to a class; False where it is forgotten."""
        return self._update(attempt, sent=sent, refusal=refusal)

    def send_to(self, attempt: Attempt, to_class: str) -> bool:
        """Have an attempt wait for a class joined after it; False where it is forgotten."""
        return self._update(attempt, sent="waiting", to_class=to_class)

    def add_reveal(self, reveal: Reveal) -> None:
        """Note what is about to be shown; the same thing shown again is noted once."""
        # compared as they are written: a nan is no other nan's equal
        shown = (reveal.attempt, as_json(reveal.computed))
        with self.one_action():
            known = self.reveals(reveal.exercise)
            if shown not in [(each.attempt, as_json(each.computed)) for each in known]:
                self._write(reveal)

    def reveals(self, exercise: str | None = None) -> list[Reveal]:
        """What was shown for one exercise, or for all, oldest first."""
        return self._read(Reveal, **({} if exercise is None else {"exercise": exercise}))

    def was_revealed(self, exercise: str) -> bool:
        """Whether a result of this exercise has ever been shown."""
        return bool(self.reveals(exercise))

    def add_task(self, result: TaskResult) -> None:
        """Save what a grader said."""
        self._write(result)

    def tasks(self, task: str | None = None) -> list[TaskResult]:
        """What graders said about one task, or about all, oldest first."""
        return self._read(TaskResult, **({} if task is None else {"task": task}))

    def keep_draft(self, draft: Draft) -> None:
        """Keep what was entered and not committed, in the place of what was kept before."""
        self._write(draft, replace_draft)

    def draft(self, exercise: str) -> Draft | None:
        """What was entered for an exercise and not committed, or None."""
        return next(iter(self._read(Draft, id=exercise)), None)

    def add_membership(self, membership: Membership) -> None:
        """Save that a class was joined, or that classes were left."""
        self._write(membership)

    def memberships(self) -> list[Membership]:
        """Every class that was joined from this store, oldest first."""
        return self._read(Membership)

    def forget(self) -> list[Path]:
        """Delete the store and every damaged file beside it; gives what was deleted.

        A file that is not attn_lab's own stays, whatever ATTN_LAB_STORE says.
        """
        with self.one_action():
            self._held.clear()
            self.trouble = ""
            return self._file.forget()

    def beside(self) -> list[Path]:
        """What lies at the store's path or is named after it, whoever wrote it."""
        return recovery.beside(self.path)

    def _counted(self, attempt: Attempt) -> Attempt:
        """An attempt that stays in memory, as the file would have counted it."""
        rounds = [each.round for each in self.attempts(attempt.exercise)]
        seen = attempt.seen or self.was_revealed(attempt.exercise)
        return replace(attempt, round=1 + max(rounds, default=0), seen=seen)

    def _update(self, attempt: Attempt, **columns: str) -> bool:
        with self.one_action():
            for known in self._read(Attempt, id=attempt.id):
                changed = replace(known, **columns)
                self._write(changed, partial(update, names=tuple(columns)))
                return True
            return False

    def _read(self, kind: type, **only: Any) -> list[Any]:
        """The values of a kind in file and memory whose fields equal those of `only`."""
        with self.one_action():
            try:
                found = self._file.read(kind, **only)
            except TROUBLES as error:
                self.trouble = explain(error, self.path)
                found = []
            for each in self._held:
                if isinstance(each, kind) and only.items() <= vars(each).items():
                    found = _placed(each, found)
            return found

    def _write(self, value: Any, work: Work = insert) -> Any:
        """Write a value into the file, with all that had to wait; gives it as it was read back.

        Where that fails it is kept in memory.
        """
        with self.one_action():
            try:
                written = self._file.write(value, work, self._held)
            except TROUBLES as error:
                self.trouble = explain(error, self.path)
                kept = self._counted(value) if work is add_attempt else value
                written = from_row(type(value), to_row(kept))
                self._held = _placed(written, self._held)
            else:
                self.trouble = ""
                self._held.clear()
            return written


def _placed(value: Any, among: list[Any]) -> list[Any]:
    """The values with this one in the place of its earlier form, or at the end."""
    if key(value) not in map(key, among):
        return [*among, value]
    return [value if key(each) == key(value) else each for each in among]


def open_store() -> Store:
    """The store that the environment names; one object for each file."""
    return _store_at(store_path())


@cache
def _store_at(path: Path) -> Store:
    return Store(path)

"""The store: what the learner answered, what was shown, what a grader said, which class it was.

Each action is served by one connection, opened for it and closed after it. That is what lets two
kernels share a file, a damaged file be set aside under a living kernel, and a deleted one be
noticed.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from attn_lab.record import recovery
from attn_lab.record.attempts import (
    Attempt,
    Membership,
    Reveal,
    TaskResult,
    as_json,
    from_row,
    to_row,
)
from attn_lab.record.location import TROUBLES, explain, kind_of, store_path
from attn_lab.record.tables import (
    PATIENCE,
    add_attempt,
    bring,
    connect,
    insert,
    is_ours,
    make,
    select,
    update,
    writing,
)

TRIES = 3  # a damaged or deleted file is met once; three times is a disk that fails
Work = Callable[[sqlite3.Connection], object]


class Store:
    """Saves answers so that none that was acknowledged is lost.

    `trouble` is "" when the file could be used the last time, and otherwise a sentence that says
    why answers are kept only in memory. `notice` says that a damaged file was set aside, and where
    it lies.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self.notice = ""
        self._held: list[Any] = []  # what could not reach the file
        self._lock = threading.RLock()
        self._actions = 0  # how many are going on, one inside another
        self._patience = PATIENCE
        self._file: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None  # which file that is

    @contextmanager
    def one_action(self) -> Iterator[None]:
        """Serve all that is asked inside with one connection, and wait only once for a lock."""
        with self._lock:
            self._actions += 1
            try:
                yield
            finally:
                self._actions -= 1
                if not self._actions:
                    self._close()
                    self._patience = PATIENCE

    def add(self, attempt: Attempt) -> Attempt:
        """Save an attempt; gives it with its round, and whether the result had been seen."""
        with self.one_action():
            return self._write(attempt, add_attempt, self._counted)

    def attempts(self, exercise: str | None = None) -> list[Attempt]:
        """The attempts at one exercise, or at all, in the order of their rounds."""
        found = self._read(Attempt, **({} if exercise is None else {"exercise": exercise}))
        return sorted(found, key=lambda each: (each.exercise, each.round, each.time))

    def latest(self, exercise: str) -> Attempt | None:
        """The last attempt at an exercise, or None."""
        return next(reversed(self.attempts(exercise)), None)

    def say_afterwards(self, attempt: Attempt, text: str) -> bool:
        """Keep what the learner would say now; False where the attempt has been forgotten."""
        return self._update(attempt, afterwards=text)

    def mark_sent(self, attempt: Attempt, sent: str, refusal: str = "") -> bool:
        """Note where an attempt stands on its way to a class; False where it is forgotten."""
        return self._update(attempt, sent=sent, refusal=refusal)

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
        with self._lock:
            self._held.clear()
            removed = recovery.owned(self.path)
            for each in removed:
                each.unlink(missing_ok=True)
            self.notice = self.trouble = ""
            return removed

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
                filed = self._from_file(kind, only)
            except TROUBLES as error:
                self._give_up(error)
                filed = []
            held = [each for each in self._held if isinstance(each, kind)]
            held = [each for each in held if only.items() <= vars(each).items()]
            newer = [_key(each) for each in held]
            return [each for each in filed if _key(each) not in newer] + held

    def _write(
        self,
        value: Any,
        work: Callable[[sqlite3.Connection, Any], object] = insert,
        in_memory: Callable[[Any], Any] = lambda value: value,
    ) -> Any:
        """Write a value into the file, with all that had to wait; gives it as it was read back.

        Where that fails it is kept in memory, in the form that `in_memory` gives it.
        """
        with self.one_action():
            try:
                written = self._into_file(lambda file: work(file, value), value)
            except TROUBLES as error:
                self._give_up(error)
                written = from_row(type(value), to_row(in_memory(value)))
                self._held = [each for each in self._held if _key(each) != _key(value)]
                self._held.append(written)
            else:
                self.trouble = ""
                self._held.clear()
            return written

    def _give_up(self, error: BaseException) -> None:
        self.trouble = explain(error, self.path)
        if kind_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            self._close()
            self._patience = 0.0

    def _from_file(self, kind: type, only: dict[str, Any]) -> list[Any]:
        for _ in range(TRIES):
            try:
                file = self._open()
                return select(file, kind, **only) if file and is_ours(file) else []
            except sqlite3.DatabaseError as error:
                self._mend(error)
        raise OSError("the file is damaged again and again")

    def _into_file(self, work: Work, value: Any) -> Any:
        for _ in range(TRIES):
            try:
                make(self.path)
                file = self._open()
                if file is None:
                    continue
                with writing(file):
                    for each in self._held:
                        bring(file, each)
                    work(file)
                # A file that was deleted or moved under the transaction would swallow the row.
                if self._opened == _identity(self.path):
                    found = select(file, type(value), **_key(value))
                    if found:
                        return found[0]
                self._close()
            except sqlite3.DatabaseError as error:
                self._mend(error)
        raise OSError("the file changes while it is being written")

    def _open(self) -> sqlite3.Connection | None:
        """The connection of this action, None where there is no file yet."""
        if self._file is None and self.path.exists():
            self._opened = _identity(self.path)
            self._file = connect(self.path, self._patience)
        return self._file

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _mend(self, error: sqlite3.DatabaseError) -> None:
        """Set a damaged file aside; raise what is no damage."""
        if not recovery.is_damage(error):
            raise error
        self._close()
        moved = recovery.set_aside(self.path)
        if moved is not None:
            self.notice = (
                "The file of earlier predictions was damaged. It was set aside, not deleted: "
                f"{moved[0]}. Predictions that could be read from it and are kept: {moved[1]}."
            )


def open_store() -> Store:
    """The store that the environment names; one object for each file."""
    return _store_at(store_path())


def trouble_writing(path: Path) -> str:
    """Why a store cannot be written there, "" where it can; makes it, and mends nothing."""
    try:
        make(path)
        with closing(connect(path, PATIENCE)) as connection, writing(connection):
            return ""
    except TROUBLES as error:
        return explain(error, path)


@cache
def _store_at(path: Path) -> Store:
    return Store(path)


def _key(value: Any) -> dict[str, Any]:
    """What tells a value from every other of its kind."""
    return {name: each for name, each in vars(value).items() if name in ("id", "secret", "joined")}


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino

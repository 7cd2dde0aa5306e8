"""The store: what the learner answered, what was shown, what a grader said."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from attn_lab.record.attempts import Attempt, Reveal, TaskResult
from attn_lab.record.keeper import Keeper
from attn_lab.record.leftovers import beside
from attn_lab.record.paths import store_path
from attn_lab.record.tables import add_attempt, as_json, insert


class Store:
    """Saves answers so that none that was acknowledged is lost.

    After a write, `trouble` is "" when the file holds it, and otherwise a sentence that says why
    it is kept only in memory. `notice` is a sentence about a damaged file that was set aside.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._keeper = Keeper(path)

    @property
    def trouble(self) -> str:
        """Why answers are kept only in memory, or ""."""
        return self._keeper.trouble

    @property
    def notice(self) -> str:
        """Where a damaged file was set aside, or ""."""
        return self._keeper.notice

    def add(self, attempt: Attempt) -> Attempt:
        """Saves an attempt; returns it with its round, and whether the result had been seen."""
        known = self.attempts(attempt.exercise)
        here = replace(
            attempt,
            round=1 + max((each.round for each in known), default=0),
            seen=self.was_revealed(attempt.exercise),
        )
        self._keeper.write(
            lambda file: add_attempt(file, here), lambda memory: insert(memory, here), here.id
        )
        # Another kernel may have counted first, or the learner may have had all of it forgotten.
        return next((each for each in self.attempts(here.exercise) if each.id == here.id), here)

    def attempts(self, exercise: str | None = None) -> list[Attempt]:
        """Returns the attempts at one exercise, or at all, in the order of their rounds."""
        found = self._keeper.read("attempts", {} if exercise is None else {"exercise": exercise})
        return sorted(found, key=lambda each: (each.exercise, each.round, each.time))

    def latest(self, exercise: str) -> Attempt | None:
        """Returns the last attempt at an exercise, or None."""
        return next(reversed(self.attempts(exercise)), None)

    def say_afterwards(self, attempt: Attempt, text: str) -> bool:
        """Keeps what the learner would say now; False where the attempt has been forgotten."""
        return self._update(attempt, afterwards=text)

    def mark_sent(self, attempt: Attempt, sent: str, refusal: str = "") -> bool:
        """Notes where an attempt stands on its way to a class; False where it is forgotten."""
        return self._update(attempt, sent=sent, refusal=refusal)

    def add_reveal(self, reveal: Reveal) -> None:
        """Notes what is about to be shown; the same thing shown again is noted once."""
        # compared as they are written: a nan is no other nan's equal
        shown = (reveal.attempt, as_json(reveal.computed))
        known = self.reveals(reveal.exercise)
        if shown not in [(each.attempt, as_json(each.computed)) for each in known]:
            self._add(reveal)

    def reveals(self, exercise: str | None = None) -> list[Reveal]:
        """Returns what was shown for one exercise, or for all, oldest first."""
        return self._keeper.read("reveals", {} if exercise is None else {"exercise": exercise})

    def was_revealed(self, exercise: str) -> bool:
        """Says whether a result of this exercise has ever been shown."""
        return bool(self.reveals(exercise))

    def add_task(self, result: TaskResult) -> None:
        """Saves what a grader said."""
        self._add(result)

    def tasks(self, task: str | None = None) -> list[TaskResult]:
        """Returns what graders said about one task, or about all, oldest first."""
        return self._keeper.read("tasks", {} if task is None else {"task": task})

    def forget(self) -> list[Path]:
        """Deletes the store and every damaged file beside it; returns what was deleted.

        A file that is not attn_lab's own stays, whatever ATTN_LAB_STORE says.
        """
        return self._keeper.forget()

    def beside(self) -> list[Path]:
        """Returns what lies at the store's path or is named after it, whoever wrote it."""
        return beside(self.path)

    def _add(self, value: Any) -> None:
        self._keeper.write(lambda c: insert(c, value), lambda c: insert(c, value), value.id)

    def _update(self, attempt: Attempt, **columns: str) -> bool:
        known = {each.id: each for each in self.attempts(attempt.exercise)}
        if attempt.id not in known:
            return False
        changed = replace(known[attempt.id], **columns)  # type: ignore[arg-type]
        names = ", ".join(f"{name} = ?" for name in columns)
        change = f"UPDATE attempts SET {names} WHERE id = ?"
        self._keeper.write(
            lambda file: file.execute(change, (*columns.values(), attempt.id)),
            lambda memory: insert(memory, changed, how="INSERT OR REPLACE"),
            attempt.id,
        )
        return True


def open_store() -> Store:
    """Returns the store that the environment names; one object for each file."""
    return _store_at(store_path())


@cache
def _store_at(path: Path) -> Store:
    return Store(path)

"""The store's file as it is used: one connection for each action, opened for it and closed after.

That is what lets two kernels share a file, a damaged file be set aside under a living kernel, and
a deleted one be noticed.
"""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from attn_lab.record import recovery
from attn_lab.record.location import TROUBLES, explain, kind_of
from attn_lab.record.store_tables import PATIENCE, bring, connect, is_ours, make, select, writing
from attn_lab.record.waiting import said

SOON = 0.5  # seconds that nobody minds; whatever waits longer says so
TRIES = 3  # a damaged or deleted file is met once; three times is a disk that fails
LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
Work = Callable[[sqlite3.Connection, Any], object]
Found = TypeVar("Found")


class StoreFile:
    """One file, read and written; `notice` says that a damaged one was set aside, and where.

    What fails raises one of TROUBLES, or is mended.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice = ""
        self._lock = threading.RLock()
        self._actions = 0  # how many are going on, one inside another
        self._patience = PATIENCE
        self._timeout = SOON
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] | None = None  # which file that is

    @contextmanager
    def one_action(self) -> Iterator[bool]:
        """Serve all that is asked inside with one connection; gives whether it is the outermost.

        A lock that was waited for in vain is not waited for again until the file has answered.
        """
        with self._lock:
            self._actions += 1
            try:
                yield self._actions == 1
            except sqlite3.DatabaseError as error:
                if kind_of(error) in LOCKED:
                    self._close()
                    self._patience = 0.0
                raise
            finally:
                self._actions -= 1
                if not self._actions:
                    self._close()

    def read(self, kind: type, **only: Any) -> list[Any]:
        """The values of a kind whose columns equal those of `only`; none where no file is ours."""
        with self.one_action():
            return self._patiently(partial(self._read, kind, only))

    def write(self, value: Any, work: Work, waiting: Iterable[Any] = ()) -> Any:
        """Do the work with a value, after what had to wait; gives the value as it is read back."""
        with self.one_action():
            return self._patiently(partial(self._write, value, work, waiting))

    def forget(self) -> list[Path]:
        """Delete every file that is the store's own, set-aside ones too; gives their paths."""
        with self._lock:
            removed = recovery.owned(self.path)
            for each in removed:
                each.unlink(missing_ok=True)
            self.notice = ""
            return removed

    def _patiently(self, work: Callable[[], Found]) -> Found:
        """Do the work; where it meets a lock, say so and wait on."""
        self._timeout = min(SOON, self._patience)
        left = self._patience - self._timeout
        try:
            return work()
        except sqlite3.DatabaseError as error:
            if kind_of(error) not in LOCKED or not left:
                raise
        self._close()
        self._timeout = left
        with said(PATIENCE):
            return work()

    def _read(self, kind: type, only: dict[str, Any]) -> list[Any]:
        for _ in range(TRIES):
            try:
                file = self._open()
                found = select(file, kind, **only) if file and is_ours(file) else []
                self._patience = PATIENCE
                return found
            except sqlite3.DatabaseError as error:
                self._mend(error)
        raise OSError("the file is damaged again and again")

    def _write(self, value: Any, work: Work, waiting: Iterable[Any]) -> Any:
        for _ in range(TRIES):
            try:
                make(self.path)
                file = self._open()
                if file is None:
                    continue
                with writing(file):
                    for each in waiting:
                        bring(file, each)
                    work(file, value)
                # A file deleted or moved under the transaction would swallow the row.
                if self._opened == _identity(self.path):
                    if found := select(file, type(value), **key(value)):
                        self._patience = PATIENCE
                        return found[0]
                self._close()
            except sqlite3.DatabaseError as error:
                self._mend(error)
        raise OSError("the file changes while it is being written")

    def _open(self) -> sqlite3.Connection | None:
        """The connection of this action, None where there is no file yet."""
        if self._connection is None and self.path.exists():
            self._opened = _identity(self.path)
            self._connection = connect(self.path, self._timeout)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

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


def key(value: Any) -> dict[str, Any]:
    """What tells a value from every other of its kind, column by column."""
    return {name: each for name, each in vars(value).items() if name in ("id", "secret", "joined")}


def trouble_writing(path: Path) -> str:
    """Why a store cannot be written there, "" where it can; makes it, and mends nothing."""
    try:
        make(path)
        with closing(connect(path, PATIENCE)) as connection, writing(connection):
            return ""
    except TROUBLES as error:
        return explain(error, path)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino

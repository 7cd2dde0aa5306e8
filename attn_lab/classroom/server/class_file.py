"""The SQLite file of a class: held by one process alone, and still the one that was opened.

SQLite goes on writing to a file that was deleted or replaced meanwhile, and all of that would be
lost with the process. So the file is looked at before a transaction and once more before its end.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, text
from sqlalchemy.exc import SQLAlchemyError

REPLACED = (
    "another file stands in place of {}. What the class holds was written beside it, to {}. Move "
    "the other one away, and this class goes on under its own name"
)
VANISHED = "its file {} has just vanished"
WRITTEN_AGAIN = "The class's file had vanished, and was written again: {}."
Identity = tuple[int, int] | None


class FileGoneError(SQLAlchemyError):
    """What would be written now would be lost with this process."""


class ClassFile:
    """The file behind an engine; `notice` says that it had vanished and was written again."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.notice = engine, ""
        self._beside: Path | None = None  # a copy, made when another file took the place
        self.path: Path | None = None
        self._opened: Identity = None
        self._log: Identity = None  # of the write-ahead log
        event.listen(engine, "connect", self._connected)

    def mend(self) -> None:
        """Write the file again where it has vanished: what is still open holds all of it.

        Raises: FileGoneError where another file stands in its place.
        """
        if self.path is None or self._is_there():
            return
        found = _identity(self.path)
        if found is None:
            self._write(self.path)
            self.notice = WRITTEN_AGAIN.format(self.path)
        elif found != self._opened:
            if self._beside is None:
                beside = _free(self.path)
                self._write(beside)
                self._beside = beside
            raise FileGoneError(REPLACED.format(self.path, self._beside))
        self.engine.dispose()  # a log that vanished is written into the file when that is closed

    def check(self) -> None:
        """Look once more, before the end of a transaction; raises FileGoneError."""
        if not self._is_there():
            raise FileGoneError(VANISHED.format(self.path))

    def _is_there(self) -> bool:
        if self.path is None or self._opened is None:
            return True
        log = _identity(Path(f"{self.path}-wal"))
        self._log = self._log or log
        return (_identity(self.path), log) == (self._opened, self._log)

    def _write(self, path: Path) -> None:
        part = path.with_name(f"{path.name}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.unlink(missing_ok=True)
            with self.engine.connect() as connection:
                connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.execute(text("VACUUM INTO :path"), {"path": str(part)})
            for name, how in ((part, os.O_RDWR), (part.parent, os.O_RDONLY)):
                _sync(name, how)
            part.rename(path)
            _sync(path.parent, os.O_RDONLY)
        except OSError as error:
            raise FileGoneError(f"{path} cannot be written: {error.strerror}") from None

    def _connected(self, connection: Any, _record: Any) -> None:
        # One process alone holds the file, so the write-ahead log needs no shared memory, which
        # home folders on a network lack; and a second server on the same file is refused at its
        # start. FULL: on the disk before it is acknowledged.
        alone = ("busy_timeout = 2000", "locking_mode = EXCLUSIVE", "journal_mode = WAL")
        for pragma in (*alone, "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}")
        name = connection.execute("PRAGMA database_list").fetchone()[2]
        self.path = Path(name) if name else None
        self._opened, self._log = _identity(self.path) if self.path else None, None


def _identity(path: Path) -> Identity:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _free(path: Path) -> Path:
    names = (path.with_stem(f"{path.stem}-kept{'-again' * n}") for n in count())
    return next(name for name in names if not name.exists())


def _sync(path: Path, how: int) -> None:
    with suppress(PermissionError):  # Windows opens no folder
        opened = os.open(path, how)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

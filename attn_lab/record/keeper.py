"""Keeps rows in the file, or in memory while the file cannot be written."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attn_lab.record.damage import set_aside
from attn_lab.record.database import is_damage, reading, transaction, writing
from attn_lab.record.leftovers import owned
from attn_lab.record.tables import TABLES, bring, prepare, select
from attn_lab.record.troubles import TROUBLES, explain

Work = Callable[[sqlite3.Connection], object]

TRIES = 3  # a damaged or deleted file is met once; three times is a disk that fails


class Keeper:
    """One file and, for what cannot reach it, one database of the same form in memory.

    `trouble` says why the file could not be used the last time, and is "" when it could.
    `notice` says that a damaged file was set aside, and where it lies.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self.notice = ""
        self._lock = threading.RLock()
        self._held = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        with transaction(self._held):
            prepare(self._held)

    def write(self, to_file: Work, to_memory: Work, id: str) -> None:
        """Does the work in the file, together with what had to wait; or in memory.

        The row with this id is read back before the write counts: a file that was deleted or
        moved under the transaction would otherwise swallow it.
        """
        with self._lock:
            try:
                self._write_file(to_file, id)
                self.trouble = ""
            except TROUBLES as error:
                self.trouble = explain(error, self.path)
                with transaction(self._held):
                    to_memory(self._held)

    def read(self, table: str, only: dict[str, Any]) -> list[Any]:
        """Returns the rows of file and memory whose columns equal those of `only`."""
        with self._lock:
            held = select(self._held, table, only)
            newer = {each.id for each in held}
            try:
                filed = self._read_file(table, only)
            except TROUBLES as error:
                self.trouble = explain(error, self.path)
                filed = []
            return [each for each in filed if each.id not in newer] + held

    def forget(self) -> list[Path]:
        """Deletes every file that is the store's own, set-aside ones too; returns their paths."""
        with self._lock:
            self._empty_memory()
            removed = owned(self.path)
            for each in removed:
                each.unlink(missing_ok=True)
            self.notice = self.trouble = ""
            return removed

    def _write_file(self, work: Work, id: str) -> None:
        for _ in range(TRIES):
            try:
                with writing(self.path) as connection:
                    for table in TABLES:
                        for each in select(self._held, table, {}):
                            bring(connection, each)
                    work(connection)
                if any(self._read_file(table, {"id": id}) for table in TABLES):
                    self._empty_memory()
                    return
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                self._set_aside()
        raise OSError("the file changes while it is being written")

    def _read_file(self, table: str, only: dict[str, Any]) -> list[Any]:
        for _ in range(TRIES):
            try:
                with reading(self.path) as connection:
                    return select(connection, table, only) if connection else []
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
                self._set_aside()
        raise OSError("the file is damaged again and again")

    def _set_aside(self) -> None:
        moved = set_aside(self.path)
        if moved is not None:
            self.notice = (
                "The file of earlier predictions was damaged. It was set aside, not deleted: "
                f"{moved[0]}. Predictions that could be read from it and are kept: {moved[1]}."
            )

    def _empty_memory(self) -> None:
        with transaction(self._held):
            for table in TABLES:
                self._held.execute(f"DELETE FROM {table}")

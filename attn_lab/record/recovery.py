"""A damaged store is set aside and what can be read from it is kept; what is ours may be deleted.

Nothing but the learner's own word deletes anything, and no file that is not attn_lab's is touched.
"""

import os
import re
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from attn_lab.record.attempts import Attempt
from attn_lab.record.location import NotOursError, default_path, kind_of
from attn_lab.record.store_tables import (
    PATIENCE,
    TABLES,
    connect,
    insert,
    is_marked,
    is_ours,
    make,
    may_move,
    select,
    writing,
)

SMALLEST_ROW = 64  # bytes; two ids alone are longer
_DAMAGE = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_ASIDE = re.compile(r"(?P<file>\.damaged-\d{8}-\d{6}(-\d+)?)(-journal)?")


def is_damage(error: BaseException) -> bool:
    """Whether an error means that the file's content is not a sound database."""
    return kind_of(error) in _DAMAGE


def is_damaged(path: Path) -> bool:
    """Whether the file's content is not a sound database, found out by reading all of it."""
    try:
        with closing(connect(path, PATIENCE)) as connection:
            if is_ours(connection):  # SQLite does not know what a row of ours has to hold
                for kind in TABLES:
                    select(connection, kind)
            return connection.execute("PRAGMA quick_check").fetchone()[0] != "ok"
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return True
        raise


def set_aside(path: Path) -> tuple[Path, int] | None:
    """Move a damaged file away; gives where it lies now and how many attempts were saved.

    None where the file is sound after all: another kernel has been faster.
    Raises: NotOursError where nothing shows that the file is attn_lab's.
    """
    if path.exists() and not may_move(path):  # before the guard: nothing is left beside it either
        raise NotOursError("it is not a file of attn_lab")
    with _alone(path):
        if not path.exists() or not is_damaged(path) or not may_move(path):
            return None
        aside = _free_name(path)
        path.rename(aside)
        journal = path.with_name(path.name + "-journal")
        if journal.exists():  # it belongs to the damaged file and must not be replayed on a new one
            journal.rename(aside.with_name(aside.name + "-journal"))
        return aside, _save_rows(aside, path)


def beside(path: Path) -> list[Path]:
    """The store's file and all that is named after it, whoever wrote it."""
    tails = ("-journal", ".guard", ".damaged-")
    names = tuple(path.name + tail for tail in tails)
    found = path.parent.iterdir() if os.path.isdir(path.parent) else ()
    return sorted(each for each in found if each == path or each.name.startswith(names))


def owned(path: Path) -> list[Path]:
    """Those of `beside` that are ours, and may be deleted when the learner says so."""
    mine = os.path.isfile(path) and (
        is_marked(path) or (path == default_path() and is_damaged(path))
    )
    return [each for each in beside(path) if each.is_file() and _is_owned(each, path, mine)]


def _is_owned(each: Path, path: Path, mine: bool) -> bool:
    tail = each.name.removeprefix(path.name)
    if tail in ("", "-journal"):
        return mine
    if tail == ".guard":  # it is only locked, never written
        return each.stat().st_size == 0
    aside = _ASIDE.fullmatch(tail)
    if aside is None:
        return False
    whole = path.with_name(path.name + aside["file"])
    return path == default_path() or (whole.is_file() and is_marked(whole))


def _alone(path: Path) -> closing:
    # Two kernels can find the damage at once; the second must not move the first one's new file.
    # An empty database serves as a lock that the system opens when its holder is killed.
    guard = sqlite3.connect(path.with_name(path.name + ".guard"), timeout=PATIENCE)
    try:
        guard.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        guard.close()
        raise
    return closing(guard)


def _free_name(path: Path) -> Path:
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    names = (
        f"{path.name}.damaged-{stamp}{tail}" for tail in ("", *(f"-{n}" for n in range(2, 99)))
    )
    return next(path.with_name(name) for name in names if not path.with_name(name).exists())


def _save_rows(damaged: Path, fresh: Path) -> int:
    content = _padded(damaged.read_bytes())
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as old:
        old.deserialize(content)
        # A reason with a few letters lost says more than none.
        old.text_factory = lambda raw: raw.decode("utf-8", "replace")
        numbers = range(1, len(content) // SMALLEST_ROW + 2)
        rows = {kind: _readable(old, kind, numbers) for kind in TABLES}
    make(fresh)
    with closing(connect(fresh, PATIENCE)) as connection, writing(connection):
        for row in (each for found in rows.values() for each in found):
            insert(connection, row, how="INSERT OR IGNORE")
    return len(rows[Attempt])


def _readable(old: sqlite3.Connection, kind: type, numbers: range) -> list[Any]:
    # Row by row, by number: a torn page then costs its own rows and no others, and no index is
    # read. Nothing is ever deleted from these tables, so that numbers run from 1 without gaps.
    found: list[Any] = []
    for number in numbers:
        try:
            found += select(old, kind, rowid=number)
        except (sqlite3.DatabaseError, ValueError):
            continue
    return found


def _padded(content: bytes) -> bytes:
    # SQLite reads nothing from a file that is shorter than its header says; zeros make it up.
    says = int.from_bytes(content[16:18], "big") * int.from_bytes(content[28:32], "big")
    return content.ljust(min(says, 10 * len(content)), b"\0")

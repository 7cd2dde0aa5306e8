"""Sets a damaged store aside and saves what can still be read from it; deletes nothing."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from attn_lab.record import memberships
from attn_lab.record.database import PATIENCE, is_damaged, writing
from attn_lab.record.ownership import may_move
from attn_lab.record.tables import TABLES, NotOursError, insert, select

SMALLEST_ROW = 64  # bytes; two ids alone are longer


def set_aside(path: Path) -> tuple[Path, int] | None:
    """Moves a damaged file away; returns where it lies now and how many attempts were saved.

    Returns None where the file is sound after all: another kernel has been faster.
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
        rows = {table: _readable(partial(select, old, table), numbers) for table in TABLES}
        joined = _readable(partial(memberships.select, old), numbers)
    with writing(fresh) as connection:
        for row in (each for found in rows.values() for each in found):
            insert(connection, row, how="INSERT OR IGNORE")
        for each in joined:
            memberships.insert(connection, each)
    return len(rows["attempts"])


def _readable(read: Callable[[dict[str, Any]], list], numbers: range) -> list:
    # Row by row, by number: a torn page then costs its own rows and no others, and no index is
    # read. Nothing is ever deleted from these tables, so that numbers run from 1 without gaps.
    found: list = []
    for number in numbers:
        try:
            found += read({"rowid": number})
        except (sqlite3.DatabaseError, ValueError):
            continue
    return found


def _padded(content: bytes) -> bytes:
    # SQLite reads nothing from a file that is shorter than its header says; zeros make it up.
    says = int.from_bytes(content[16:18], "big") * int.from_bytes(content[28:32], "big")
    return content.ljust(min(says, 10 * len(content)), b"\0")

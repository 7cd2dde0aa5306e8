"""The store's tables in one SQLite file: made, written and read, one transaction at a time.

The journal is SQLite's rollback journal: a write-ahead log needs shared memory, which home folders
on a network do not give.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from attn_lab.record.attempts import (
    Attempt,
    DamagedRowError,
    Draft,
    Membership,
    Reveal,
    TaskResult,
    from_row,
    to_row,
)
from attn_lab.record.location import NotOursError, default_path

PATIENCE = 5.0  # seconds to wait for another kernel that is writing
APPLICATION = 0x4174746E  # "Attn": marks the file as ours, so that no other file is ever touched
VERSION = 1
TABLES: dict[type, str] = {
    Attempt: "attempts",
    Reveal: "reveals",
    TaskResult: "tasks",
    Membership: "classes",
    Draft: "drafts",
}
SCHEMA = {
    "attempts": """CREATE TABLE attempts (
        id TEXT PRIMARY KEY, exercise TEXT NOT NULL, round INTEGER NOT NULL, seen INTEGER NOT NULL,
        answer TEXT NOT NULL, confidence TEXT NOT NULL, because TEXT NOT NULL,
        afterwards TEXT NOT NULL, time TEXT NOT NULL, version TEXT NOT NULL, sent TEXT NOT NULL,
        UNIQUE (exercise, round))""",
    "reveals": """CREATE TABLE reveals (
        id TEXT PRIMARY KEY, exercise TEXT NOT NULL, attempt TEXT NOT NULL, computed TEXT NOT NULL,
        verdict TEXT NOT NULL, time TEXT NOT NULL)""",
    "tasks": """CREATE TABLE tasks (
        id TEXT PRIMARY KEY, task TEXT NOT NULL, passed INTEGER NOT NULL, mistake TEXT NOT NULL,
        message TEXT NOT NULL, time TEXT NOT NULL, version TEXT NOT NULL)""",
    "classes": """CREATE TABLE classes (
        address TEXT NOT NULL, code TEXT NOT NULL, because INTEGER NOT NULL,
        secret TEXT NOT NULL, joined TEXT NOT NULL)""",
    "drafts": """CREATE TABLE drafts (
        id TEXT PRIMARY KEY, entered TEXT NOT NULL, after INTEGER NOT NULL, time TEXT NOT NULL)""",
}
# Columns that came later. A file without them gets them when it is next written; an older attn_lab
# names the columns that it knows, and works on.
ADDED: dict[str, dict[str, str]] = {
    "attempts": {"to_class": "TEXT NOT NULL DEFAULT ''", "refusal": "TEXT"},
    "tasks": {"mistake_name": "TEXT"},
}

# Both marks lie on the first page. SQLite keeps the application id at byte 68 of its header, and
# each table as it was made; the zero byte tells a database page from a text that quotes it.
_MARK, _MARK_AT = APPLICATION.to_bytes(4, "big"), 68
_TABLE = SCHEMA["attempts"][: SCHEMA["attempts"].index(", round")].encode()
_HEADER, _FIRST_PAGE = 100, 4096  # bytes


def is_marked(path: Path) -> bool:
    """Whether a file, sound or damaged, carries what attn_lab writes; an empty one may."""
    with path.open("rb") as file:
        page = file.read(_FIRST_PAGE)
    marked = page[_MARK_AT : _MARK_AT + len(_MARK)] == _MARK
    return not page or marked or (_TABLE in page and b"\0" in page)


def may_move(damaged: Path) -> bool:
    """Whether a damaged file may be set aside; in our own data folder, always."""
    return damaged == default_path() or is_marked(damaged)


def make(path: Path) -> None:
    """Make an empty file where there is none; what a learner writes is for its owner to read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))


def connect(path: Path, patience: float) -> sqlite3.Connection:
    """A connection that commits only where it is told to.

    Raises: NotOursError for what is no file, or a short one that nothing shows to be ours.
    """
    with suppress(FileNotFoundError):
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # to open a named pipe is to wait for ever
            raise NotOursError("it is not a file that can hold them")
        # SQLite takes a file shorter than its header for an empty one, and would write over it.
        if found.st_size < _HEADER and not may_move(path):
            raise NotOursError("it is not a file of attn_lab")
    # The rollback journal is SQLite's default. Setting it here would change a file that may turn
    # out to belong to another program.
    return sqlite3.connect(path, timeout=patience, isolation_level=None)


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what is done inside, or undo all of it; the tables are there.

    Raises: NotOursError for a file of another program or of a newer version.
    """
    # EXTRA also syncs the folder after the journal is deleted: that deletion is the commit.
    connection.execute("PRAGMA synchronous = EXTRA")
    connection.execute("BEGIN IMMEDIATE")
    try:
        _prepare(connection)
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether a file holds our tables; a new or another program's file does not."""
    return connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION


def insert(connection: sqlite3.Connection, value: Any, *, how: str = "INSERT") -> None:
    """Write one value into its table."""
    row = to_row(value)
    places = ", ".join(f":{name}" for name in row)
    table = TABLES[type(value)]
    connection.execute(f"{how} INTO {table} ({', '.join(row)}) VALUES ({places})", row)


def select(connection: sqlite3.Connection, kind: type, **only: Any) -> list[Any]:
    """The values of a kind whose columns equal those of `only`, in the order of their rows.

    What was written first comes first, whatever a clock said that was set back meanwhile.
    Raises: DamagedRowError where one of these rows cannot be read.
    """
    table = TABLES[kind]
    here = _columns(connection, table)
    if not here:  # a file of before the table
        return []
    missing = ADDED.get(table, {}).keys() - here
    names = [field.name for field in fields(kind) if field.name not in missing]
    where = " AND ".join(f"{name} = :{name}" for name in only) or "1"
    query = f"SELECT {', '.join(names)} FROM {table} WHERE {where} ORDER BY rowid"
    try:
        rows = connection.execute(query, only).fetchall()
    except sqlite3.OperationalError as error:
        if hasattr(error, "sqlite_errorcode"):
            raise
        raise DamagedRowError(str(error)) from None  # bytes that are not UTF-8 have no code
    return [from_row(kind, dict(zip(names, row, strict=True))) for row in rows]


def add_attempt(connection: sqlite3.Connection, attempt: Attempt) -> None:
    """Write an attempt as the next round, counted in the transaction so that none is shared.

    An attempt that is already there is left alone, so that a write may be repeated.
    """
    row = to_row(attempt)
    counted = {name: f":{name}" for name in row} | {
        "round": "(SELECT 1 + coalesce(max(round), 0) FROM attempts WHERE exercise = :exercise)",
        "seen": ":seen OR EXISTS (SELECT 1 FROM reveals WHERE exercise = :exercise)",
    }
    connection.execute(
        f"INSERT INTO attempts ({', '.join(counted)}) VALUES ({', '.join(counted.values())}) "
        "ON CONFLICT (id) DO NOTHING",
        row,
    )


def replace_draft(connection: sqlite3.Connection, draft: Draft) -> None:
    """Write a draft in the place of the earlier one of its exercise."""
    insert(connection, draft, how="INSERT OR REPLACE")


def bring(connection: sqlite3.Connection, value: Any) -> None:
    """Write a value that had to wait in memory; an attempt that is there gets its newer words."""
    if isinstance(value, Draft):
        replace_draft(connection, value)
        return
    if not isinstance(value, Attempt):
        insert(connection, value, how="INSERT OR IGNORE")
        return
    add_attempt(connection, value)
    update(connection, value, ("afterwards", "sent", "refusal", "to_class"))


def update(connection: sqlite3.Connection, attempt: Attempt, names: tuple[str, ...]) -> None:
    """Bring these columns of an attempt to what it says."""
    change = ", ".join(f"{name} = :{name}" for name in names)
    connection.execute(f"UPDATE attempts SET {change} WHERE id = :id", to_row(attempt))


def _prepare(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if is_ours(connection):
        if version > VERSION:
            raise NotOursError("it was written by a newer attn_lab; update this one")
    elif version or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise NotOursError("it is the database of another program")
    else:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    for table, create in SCHEMA.items():
        here = _columns(connection, table)
        if not here:
            connection.execute(create)
        for name, form in ADDED.get(table, {}).items():
            if name not in here:
                connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {form}")


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}

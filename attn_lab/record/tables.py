"""The tables of the store, and rows to and from the values of `attempts.py`."""

import json
import sqlite3
from dataclasses import asdict, fields, replace
from typing import Any

from attn_lab.record.attempts import Attempt, Reveal, TaskResult
from attn_lab.record.rows import values

APPLICATION = 0x4174746E  # "Attn": marks the file as ours, so that no other file is ever touched
VERSION = 1

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS attempts (
        id TEXT PRIMARY KEY, exercise TEXT NOT NULL, round INTEGER NOT NULL, seen INTEGER NOT NULL,
        answer TEXT NOT NULL, confidence TEXT NOT NULL, because TEXT NOT NULL,
        afterwards TEXT NOT NULL, time TEXT NOT NULL, version TEXT NOT NULL, sent TEXT NOT NULL,
        UNIQUE (exercise, round))""",
    """CREATE TABLE IF NOT EXISTS reveals (
        id TEXT PRIMARY KEY, exercise TEXT NOT NULL, attempt TEXT NOT NULL, computed TEXT NOT NULL,
        verdict TEXT NOT NULL, time TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS tasks (
        id TEXT PRIMARY KEY, task TEXT NOT NULL, passed INTEGER NOT NULL, mistake TEXT NOT NULL,
        message TEXT NOT NULL, time TEXT NOT NULL, version TEXT NOT NULL)""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)

# Columns that came later. A file without them gets them when it is next written; an older attn_lab
# names the columns that it knows, and works on.
ADDED = {
    "attempts": {"to_class": "TEXT NOT NULL DEFAULT ''", "refusal": "TEXT"},
    "tasks": {"mistake_name": "TEXT"},
}

TABLES: dict[str, type] = {"attempts": Attempt, "reveals": Reveal, "tasks": TaskResult}
_JSON = {"answer", "computed"}


class NotOursError(Exception):
    """The file is a database, but not one that this version may write to."""


def is_ours(connection: sqlite3.Connection) -> bool:
    """Says whether a file holds our tables; a new or another program's file does not."""
    return connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION


def prepare(connection: sqlite3.Connection) -> None:
    """Makes the tables in a new file, and refuses a file of another program or version."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if is_ours(connection):
        if version > VERSION:
            raise NotOursError("it was written by a newer attn_lab; update this one")
    elif version or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise NotOursError("it is the database of another program")
    else:
        for statement in SCHEMA:
            connection.execute(statement)
    for table in ADDED:
        for name in _missing(connection, table):
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {ADDED[table][name]}")


def as_json(value: Any) -> str:
    """Returns an answer or a result as the text that is stored."""
    return json.dumps(value, allow_nan=True)


def insert(connection: sqlite3.Connection, value: Any, *, how: str = "INSERT") -> None:
    """Writes one value into its table."""
    table = next(name for name, kind in TABLES.items() if isinstance(value, kind))
    row = {name: as_json(each) if name in _JSON else each for name, each in asdict(value).items()}
    names = ", ".join(row)
    places = ", ".join(f":{name}" for name in row)
    connection.execute(f"{how} INTO {table} ({names}) VALUES ({places})", row)


def select(connection: sqlite3.Connection, table: str, only: dict[str, Any]) -> list[Any]:
    """Returns the values of a table whose columns equal those of `only`, oldest first.

    Raises: DamagedRowError where one of these rows cannot be read.
    """
    kind = TABLES[table]
    missing = _missing(connection, table)
    names = [field.name for field in fields(kind) if field.name not in missing]
    where = " AND ".join(f"{name} = :{name}" for name in only) or "1"
    found = connection.execute(
        f"SELECT {', '.join(names)} FROM {table} WHERE {where} ORDER BY time, rowid", only
    )
    return list(values(kind, names, found))


def add_attempt(connection: sqlite3.Connection, attempt: Attempt) -> None:
    """Writes an attempt as the next round, counted in the transaction so that none is shared.

    An attempt that is already there is left alone, so that a write may be repeated.
    """
    if select(connection, "attempts", {"id": attempt.id}):
        return
    of_it = {"exercise": attempt.exercise}
    rounds = [each.round for each in select(connection, "attempts", of_it)]
    seen = attempt.seen or bool(select(connection, "reveals", of_it))
    insert(connection, replace(attempt, round=1 + max(rounds, default=0), seen=seen))


def bring(connection: sqlite3.Connection, value: Any) -> None:
    """Writes a value that had to wait in memory; an attempt that is there gets its newer words."""
    if not isinstance(value, Attempt):
        insert(connection, value, how="INSERT OR IGNORE")
    elif select(connection, "attempts", {"id": value.id}):
        connection.execute(
            "UPDATE attempts SET afterwards = ?, sent = ?, refusal = ? WHERE id = ?",
            (value.afterwards, value.sent, value.refusal, value.id),
        )
    else:
        add_attempt(connection, value)


def _missing(connection: sqlite3.Connection, table: str) -> set[str]:
    here = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    return ADDED.get(table, {}).keys() - here

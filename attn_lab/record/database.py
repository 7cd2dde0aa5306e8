"""One SQLite transaction at a time, each on a connection of its own.

A connection per transaction is what lets two kernels share a file, a damaged file be set aside
under a living kernel, and a deleted one be noticed. The journal is SQLite's rollback journal:
a write-ahead log needs shared memory, which home folders on a network do not give.
"""

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from attn_lab.record.ownership import may_move
from attn_lab.record.tables import TABLES, NotOursError, is_ours, prepare, select

PATIENCE = 5.0  # seconds to wait for another kernel that is writing

_HEADER = 100  # bytes
_DAMAGE = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Gives a connection inside a transaction that is committed at the end, or undone."""
    _make(path)
    with closing(_connect(path)) as connection:
        # EXTRA also syncs the folder after the journal is deleted: that deletion is the commit.
        connection.execute("PRAGMA synchronous = EXTRA")
        with transaction(connection):
            prepare(connection)
            yield connection


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Gives a connection for reading, or None where the file holds no tables of ours yet."""
    if not path.exists():
        yield None
        return
    with closing(_connect(path)) as connection:
        yield connection if is_ours(connection) else None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commits what is done inside, or undoes all of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def is_damage(error: BaseException) -> bool:
    """Says whether an error means that the file's content is not a sound database."""
    # The low byte is the kind; the rest is detail such as "index corrupt".
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


def is_damaged(path: Path) -> bool:
    """Says whether the file's content is not a sound database, by reading all of it."""
    try:
        with closing(_connect(path)) as connection:
            if is_ours(connection):  # SQLite does not know what a row of ours has to hold
                for table in TABLES:
                    select(connection, table, {})
            return connection.execute("PRAGMA quick_check").fetchone()[0] != "ok"
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return True
        raise


def _connect(path: Path) -> sqlite3.Connection:
    with suppress(FileNotFoundError):
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):  # to open a named pipe is to wait for ever
            raise NotOursError("it is not a file that can hold them")
        # SQLite takes a file shorter than its header for an empty one, and would write over it.
        if found.st_size < _HEADER and not may_move(path):
            raise NotOursError("it is not a file of attn_lab")
    # The rollback journal is SQLite's default. Setting it here would change a file that may turn
    # out to belong to another program.
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # What a learner writes is theirs: the file is made readable for its owner alone.
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))

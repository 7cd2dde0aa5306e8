"""SQLite as a class needs it: one process alone, and on the disk before it is acknowledged."""

from typing import Any

from sqlalchemy import Engine, event


def careful(engine: Engine) -> None:
    """Sets what every connection of this engine begins with."""
    # One process alone holds the file, so the write-ahead log needs no shared memory, which home
    # folders on a network lack; and a second server on the same file is refused at its start.
    alone = ("busy_timeout = 2000", "locking_mode = EXCLUSIVE", "journal_mode = WAL")

    @event.listens_for(engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        for pragma in (*alone, "synchronous = FULL"):  # FULL: on the disk before it is acknowledged
            connection.execute(f"PRAGMA {pragma}")

"""The database of one class. What `save` returns "saved" for is on the disk, exactly once.

One transaction for each answer: committed together, one bad answer would take its neighbours with
it, and a room of 300 needs no more speed than this gives.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import (
    URL,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    func,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from attn_lab.classroom.count.votes import LATE
from attn_lab.classroom.wire import Answer

SEATS = 1000  # pseudonyms in one class
ANSWERS_EACH = 500  # of one pseudonym

metadata = MetaData()

answers = Table(
    "answers",
    metadata,
    Column("id", String(64), primary_key=True),  # made by the learner: the same answer, sent twice
    Column("learner", String(64), nullable=False),
    Column("exercise", String(80), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("seen", Boolean, nullable=False),
    Column("answer", Text, nullable=False),
    Column("confidence", String(20), nullable=False),
    Column("because", Text),
    Column("digest", String(64), nullable=False),
    Column("received", Float, nullable=False),
    Column("invented", Boolean, nullable=False),
    Column("vote", String(10)),  # what was open when it came; a class from before has none
)
learners = Table(
    "learners",
    metadata,
    Column("learner", String(64), primary_key=True),
    Column("joined", Float, nullable=False),
    Column("left", Float),
)
settings = Table(
    "settings",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)


def _always() -> bool:
    return True


class ClassDatabase:
    """The open database at a SQLAlchemy URL; only ever used from one thread at a time."""

    def __init__(self, url: str | URL) -> None:
        # hide_parameters: an error in the log must not carry what somebody wrote
        pool = {"pool_size": 1, "max_overflow": 0, "pool_pre_ping": True}
        self.engine = create_engine(url, hide_parameters=True, **pool)
        if self.engine.dialect.name == "sqlite":
            _careful(self.engine)
        dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        self._insert: Callable[..., Any] = dialect.insert
        metadata.create_all(self.engine)
        self._complete()

    def save(
        self,
        learner: str,
        answer: Answer,
        *,
        vote: str | None = None,
        invented: bool = False,
        may_sit: Callable[[], bool] = _always,
    ) -> str:
        """Write one answer: "saved", "late", "conflict", or why there is no place for it.

        "late" is saved, after its vote was closed. The same answer sent again is what it was at
        first; another answer or another learner under the same id is a "conflict"; "spent" is a
        learner who has sent all that one may. The rest is as in `join`. Raises what SQLAlchemy
        raises where nothing could be written.
        """
        with self.engine.begin() as connection:
            columns = (answers.c.learner, answers.c.digest, answers.c.vote)
            query = select(*columns).where(answers.c.id == answer.id)
            known = connection.execute(query).first()
            if known is None:
                seat = self._seat(connection, learner, may_sit)
                if seat != "joined":
                    return seat
                row = _row(answer) | {"learner": learner, "received": time.time()}
                row |= {"invented": invented, "vote": vote}
                if self._add(connection, answers, row, answers.c.id):
                    return LATE if vote == LATE else "saved"
                known = connection.execute(query).one()
        if (known.learner, known.digest) != (learner, digest(answer)):
            return "conflict"
        return LATE if known.vote == LATE else "saved"

    def join(self, learner: str, *, may_sit: Callable[[], bool] = _always) -> str:
        """Give a seat while there are any: "joined", "full", or "wait".

        `may_sit` is asked before a new seat is given, and only then; "wait" is its no.
        """
        with self.engine.begin() as connection:
            seat = self._seat(connection, learner, may_sit)
            self._set_left(connection, learner, None)
        return "joined" if seat == "spent" else seat

    def leave(self, learner: str) -> None:
        """Note that a learner has left; the seat is kept for when they come back."""
        with self.engine.begin() as connection:
            self._set_left(connection, learner, time.time())

    def joined(self) -> int:
        """How many learners are here: they joined and have not left."""
        with self.engine.connect() as connection:
            count = select(func.count()).select_from(learners).where(learners.c.left.is_(None))
            return connection.scalar(count) or 0

    def seats(self) -> int:
        """How many learners have a seat, those who left too."""
        with self.engine.connect() as connection:
            return connection.scalar(select(func.count()).select_from(learners)) or 0

    def rows(self, exercise: str | None = None) -> list[dict[str, Any]]:
        """The answers, of one exercise or all, in the order in which they came."""
        query = select(answers).order_by(answers.c.received, answers.c.id)
        if exercise is not None:
            query = query.where(answers.c.exercise == exercise)
        with self.engine.connect() as connection:
            found = connection.execute(query).mappings().all()
        return [dict(row) | {"answer": json.loads(row["answer"])} for row in found]

    def counts(self) -> dict[str, int]:
        """How many learners have answered each exercise."""
        learner = func.count(answers.c.learner.distinct())
        with self.engine.connect() as connection:
            query = select(answers.c.exercise, learner).group_by(answers.c.exercise)
            return {exercise: count for exercise, count in connection.execute(query)}

    def get(self, key: str, default: Any = None) -> Any:
        """One of the room's settings."""
        with self.engine.connect() as connection:
            raw = connection.scalar(select(settings.c.value).where(settings.c.key == key))
        return default if raw is None else json.loads(raw)

    def put(self, key: str, value: Any) -> None:
        """Write one of the room's settings."""
        raw = json.dumps(value)
        statement = self._insert(settings).values(key=key, value=raw)
        with self.engine.begin() as connection:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["key"], set_={"value": raw})
            )

    def _seat(self, connection: Connection, learner: str, may_sit: Callable[[], bool]) -> str:
        count = select(func.count()).select_from(answers).where(answers.c.learner == learner)
        sits = select(learners.c.learner).where(learners.c.learner == learner)
        if connection.scalar(sits):
            spent = (connection.scalar(count) or 0) >= ANSWERS_EACH
            return "spent" if spent else "joined"
        if (connection.scalar(select(func.count()).select_from(learners)) or 0) >= SEATS:
            return "full"
        if not may_sit():
            return "wait"
        row = {"learner": learner, "joined": time.time()}
        self._add(connection, learners, row, learners.c.learner)
        return "joined"

    def _set_left(self, connection: Connection, learner: str, left: float | None) -> None:
        connection.execute(update(learners).where(learners.c.learner == learner).values(left=left))

    def _complete(self) -> None:
        """Add the columns that a class of an earlier attn_lab lacks."""
        known = inspect(self.engine)
        names = self.engine.dialect.identifier_preparer
        for table in metadata.sorted_tables:
            there = {column["name"] for column in known.get_columns(table.name)}
            for column in table.columns:
                if column.name not in there:
                    kind = column.type.compile(self.engine.dialect)
                    what = f"{names.format_table(table)} ADD COLUMN {names.format_column(column)}"
                    with self.engine.begin() as connection:
                        connection.execute(text(f"ALTER TABLE {what} {kind}"))

    def _add(self, connection: Connection, table: Any, row: dict[str, Any], key: Any) -> bool:
        # rowcount means different things on SQLite and PostgreSQL after "do nothing"
        statement = self._insert(table).values(**row).on_conflict_do_nothing().returning(key)
        return connection.execute(statement).first() is not None


def digest(answer: Answer) -> str:
    """The same text for the same content, whatever the order of its fields."""
    fields = json.dumps(msgspec.structs.asdict(answer), sort_keys=True)
    return hashlib.sha256(fields.encode()).hexdigest()


def _row(answer: Answer) -> dict[str, Any]:
    fields = msgspec.structs.asdict(answer)
    return fields | {"answer": json.dumps(answer.answer), "digest": digest(answer)}


def _careful(engine: Engine) -> None:
    """Set what every connection to SQLite begins with.

    One process alone, and on the disk before it is acknowledged.
    """
    # One process alone holds the file, so the write-ahead log needs no shared memory, which home
    # folders on a network lack; and a second server on the same file is refused at its start.
    alone = ("busy_timeout = 2000", "locking_mode = EXCLUSIVE", "journal_mode = WAL")

    @event.listens_for(engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        for pragma in (*alone, "synchronous = FULL"):  # FULL: on the disk before it is acknowledged
            connection.execute(f"PRAGMA {pragma}")

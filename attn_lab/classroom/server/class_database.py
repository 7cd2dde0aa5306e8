"""The database of one class. What `save` returns "saved" for is on the disk, exactly once.

One transaction for each answer: committed together, one bad answer would take its neighbours with
it, and a room of 300 needs no more speed than this gives.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import URL, Connection, create_engine, func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from attn_lab.classroom.count.votes import LATE
from attn_lab.classroom.server.class_file import ClassFile
from attn_lab.classroom.server.class_tables import answers, learners, make_tables, settings
from attn_lab.classroom.server.database_troubles import why_not
from attn_lab.classroom.wire import Answer

SEATS = 1000  # pseudonyms in one class
ANSWERS_EACH = 500  # of one pseudonym


def _always() -> bool:
    return True


class ClassDatabase:
    """The open database at a SQLAlchemy URL; only ever used from one thread at a time.

    `trouble` is why nothing could be written the last time, "" where it could.
    """

    def __init__(self, url: str | URL) -> None:
        # hide_parameters: an error in the log must not carry what somebody wrote
        pool = {"pool_size": 1, "max_overflow": 0, "pool_pre_ping": True}
        self.engine = create_engine(url, hide_parameters=True, **pool)
        self.trouble = ""
        self._file = ClassFile(self.engine) if self.engine.dialect.name == "sqlite" else None
        dialect = postgresql if self.engine.dialect.name == "postgresql" else sqlite
        self._insert: Callable[..., Any] = dialect.insert
        make_tables(self.engine)

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
        with self._writing() as connection:
            columns = (answers.c.learner, answers.c.digest, answers.c.vote)
            query = select(*columns).where(answers.c.id == answer.id)
            known = connection.execute(query).first()
            if known is None:
                seat = self._seat(connection, learner, may_sit)
                if seat != "joined":
                    return seat
                row = _row(answer) | {"learner": learner, "received": time.time()}
                last = connection.scalar(select(func.max(answers.c.number)))
                row |= {"invented": invented, "vote": vote, "number": (last or 0) + 1}
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
        with self._writing() as connection:
            seat = self._seat(connection, learner, may_sit)
            self._set_left(connection, learner, None)
        return "joined" if seat == "spent" else seat

    def leave(self, learner: str) -> None:
        """Note that a learner has left; the seat is kept for when they come back."""
        with self._writing() as connection:
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
        came = (answers.c.number.nulls_first(), answers.c.received, answers.c.id)
        query = select(answers).order_by(*came)
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
        self.put_all({key: value})

    def put_all(self, values: Mapping[str, Any]) -> None:
        """Write several of the room's settings, all of them or none."""
        with self._writing() as connection:
            for key, value in values.items():
                raw = json.dumps(value)
                statement = self._insert(settings).values(key=key, value=raw)
                connection.execute(
                    statement.on_conflict_do_update(index_elements=["key"], set_={"value": raw})
                )

    @property
    def notice(self) -> str:
        """What happened to the file meanwhile, "" where nothing did."""
        return self._file.notice if self._file else ""

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that is on the disk once it has ended, in the file that is named."""
        try:
            if self._file:
                self._file.mend()
            with self.engine.begin() as connection:
                yield connection
                if self._file:
                    self._file.check()
        except SQLAlchemyError as error:
            self.trouble = f"Answers cannot be written: {why_not(error)}"
            raise
        self.trouble = ""

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

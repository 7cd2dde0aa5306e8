"""The classes that are kept on this computer: where, how large, and which is meant.

A class is not changed by looking, and never made by it.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from platformdirs import user_data_path
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from attn_lab.classroom.server.database_troubles import IN_USE, why_not

RUNNING = "it is running: stop it first, or take its tables at its desk"
NO_CLASS = "no class is there"
_NAME = re.compile(r"class-(\d{4}-\d\d-\d\d)(?:-(\d+))?\.sqlite")


class NoClassError(Exception):
    """No class is there, or none that could be read; the text says which there are."""


@dataclass(frozen=True)
class Kept:
    """A class as it is kept; `trouble` is why it could not be looked at."""

    url: URL
    people: int = 0
    answers: int = 0
    codes: int = 0
    hands: int = 0
    questions: int = 0  # that were answered
    trouble: str = ""

    @property
    def gave(self) -> bool:
        """Whether anybody answered, in whatever way."""
        return bool(self.answers or self.codes or self.hands)

    def size(self) -> str:
        """How much there is of it."""
        parts = [_some(self.people, "person", "people"), _some(self.answers, "answer", "answers")]
        parts += [_some(self.questions, "question", "questions")] if self.questions else []
        parts += [_some(self.codes, "code", "codes")] if self.codes else []
        parts += [_some(self.hands, "raised hand", "raised hands")] if self.hands else []
        return self.trouble or ", ".join(parts)

    def __str__(self) -> str:
        of_file = self.url.get_backend_name() == "sqlite"
        place = self.url.database if of_file else self.url.render_as_string()  # no password in it
        return f"{place}: {self.size()}"


def classes_folder() -> Path:
    """Where classes lie that were started without --database."""
    return user_data_path("attn_lab", appauthor=False) / "classes"


def todays_class(folder: Path, *, new: bool = False) -> URL:
    """Today's class, the last one where there are several, so that a restart goes on with it.

    A `new` one has a file of its own beside them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    today = date.today().isoformat()
    last = max((number for day, number in map(_named, folder.iterdir()) if day == today), default=0)
    number = max(last + new, 1)
    name = f"class-{today}{f'-{number}' if number > 1 else ''}.sqlite"
    return URL.create("sqlite", database=str(folder / name))


def kept_classes(folder: Path) -> list[Kept]:
    """The classes of a folder, the newest first."""
    files = folder.glob("*.sqlite") if folder.is_dir() else ()
    order = sorted(files, key=lambda file: (_named(file), file.name), reverse=True)
    return [look(URL.create("sqlite", database=str(file))) for file in order]


def latest_class(folder: Path) -> Kept:
    """The latest class that gave anything; raises NoClassError where there is none.

    One that is running now comes before all others, and cannot be read.
    """
    there = kept_classes(folder)
    for each in there:
        if each.gave:
            return each
        if each.trouble == RUNNING:
            raise NoClassError(f"{each}.")
    raise NoClassError(f"no class on this computer was answered. {_listed(there)}")


def chosen_class(folder: Path, ask: Callable[[str], str]) -> Kept:
    """The class that is meant where several gave something: asked for, the latest without a word.

    `ask` shows a text and gives back what was typed.
    Raises: NoClassError where none gave anything, or for a number that was not offered.
    """
    gave = [each for each in kept_classes(folder) if each.gave]
    if len(gave) < 2:
        return latest_class(folder)
    lines = [f"{number}  {each}" for number, each in enumerate(gave, start=1)]
    said = ask("\n".join([*lines, "Which one? [1] "])).strip() or "1"
    if not said.isdecimal() or not 1 <= int(said) <= len(gave):
        raise NoClassError(f"expected a number from 1 to {len(gave)}, got {said!r}.")
    return gave[int(said) - 1]


def class_at(url: URL, folder: Path) -> Kept:
    """The class at a URL; raises NoClassError, with those of the folder, where none is there."""
    found = look(url)
    if found.trouble:
        raise NoClassError(f"{found.trouble}. {_listed(kept_classes(folder))}")
    return found


def look(url: URL) -> Kept:
    """How large the class at a URL is."""
    of_file = url.get_backend_name() == "sqlite"
    if of_file and not Path(url.database or "").is_file():
        return Kept(url, trouble=NO_CLASS)
    engine = create_engine(url, hide_parameters=True)
    if of_file:
        engine = create_engine("sqlite://", creator=lambda: _only_read(str(url.database)))
    try:
        with engine.connect() as connection:
            if not inspect(connection).has_table("answers"):
                return Kept(url, trouble=NO_CLASS)
            count = {
                table: connection.scalar(text(f"SELECT count(*) FROM {table}"))
                for table in ("learners", "answers")
            }
            asked = "SELECT count(DISTINCT exercise) FROM answers"
            count["questions"] = connection.scalar(text(asked))
            rows = connection.execute(text("SELECT key, value FROM settings")).all()
        told = {key: json.loads(value) for key, value in rows}
        hands = [
            n for of in told.get("hands", {}).values() for r in of.values() for n in r.values()
        ]
        given = {"codes": len(told.get("codes", [])), "hands": sum(hands)}
        given |= {"answers": count["answers"], "questions": count["questions"]}
        return Kept(url, people=count["learners"], **given)
    except DatabaseError as error:
        said = why_not(error)
        return Kept(url, trouble=RUNNING if IN_USE in said else said.removesuffix("."))
    finally:
        engine.dispose()


@contextmanager
def copied(url: URL) -> Iterator[URL]:
    """The class at a URL where nothing that is done to it changes it: a copy of a file."""
    if url.get_backend_name() != "sqlite":
        yield url
        return
    with TemporaryDirectory(prefix="attn-lab-report-") as folder:
        copy = f"{folder}/class.sqlite"
        with (
            closing(_only_read(str(url.database))) as there,
            closing(sqlite3.connect(copy)) as here,
        ):
            there.backup(here)
        yield URL.create("sqlite", database=copy)


def _only_read(path: str) -> sqlite3.Connection:
    # While there is a log, the class is running, or was killed: then what is in the log is brought
    # into the file. Without one nobody writes, and nothing is locked or made beside the file.
    mode = "mode=rw" if Path(f"{path}-wal").exists() else "mode=ro&immutable=1"
    connection = sqlite3.connect(f"file:{quote(path)}?{mode}", uri=True, timeout=2)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    return connection


def _named(file: Path) -> tuple[str, int]:
    """The day and the number in a class's name, ("", 0) for another's."""
    found = _NAME.fullmatch(file.name)
    return (found[1], int(found[2] or 1)) if found else ("", 0)


def _listed(there: list[Kept]) -> str:
    if not there:
        return "None was started here yet."
    return "\n".join(["Those that are here:", *(f"  {each}" for each in there)])


def _some(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"

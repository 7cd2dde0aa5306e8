"""The questions of the course by id, by notebook or all; files are read when asked for."""

import keyword
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from attn_lab.course.kinds import KINDS, Question
from attn_lab.course.loading import (
    Checked,
    FieldError,
    Positive,
    check_names,
    read_table,
    read_toml,
    tables_of,
)
from attn_lab.course.misconceptions import misconceptions

FOLDER = Path(__file__).parent
_ID = re.compile(r"(\d\d)/[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Notebook(Checked, frozen=True):
    """What a notebook says about itself, and its questions in their order."""

    number: str
    title: str
    question: str
    minutes: Positive
    summary: tuple[str, ...]
    questions: tuple[Question, ...] = ()


def notebook_numbers() -> list[str]:
    """The numbers of all notebooks that have questions, in order."""
    return sorted(path.stem for path in FOLDER.glob("[0-9][0-9].toml"))


@cache
def notebook(number: str) -> Notebook:
    """One notebook's data, read when first asked for.

    Raises: ValueError for a number that has no questions, or a malformed file.
    """
    if number not in notebook_numbers():
        raise ValueError(
            f"notebook: expected one of {', '.join(notebook_numbers())}; got {number!r}."
        )
    return read_notebook(FOLDER / f"{number}.toml", misconceptions())


def questions(number: str | None = None) -> list[Question]:
    """The questions of one notebook, or of the whole course, in their order."""
    chosen = notebook_numbers() if number is None else [number]
    return [question for each in chosen for question in notebook(each).questions]


def question(id: str) -> Question:
    """The question with this id; only its own notebook's file is read.

    Raises: ValueError for an id that the course does not have.
    """
    number, _, slug = id.partition("/") if isinstance(id, str) else ("", "", "")
    if number not in notebook_numbers() or not slug:
        raise ValueError(
            "question id: expected a notebook's number, a slash and a name, such as "
            f'"05/first-row"; got {id!r}. Notebooks with questions: '
            f"{', '.join(notebook_numbers())}."
        )
    known = {each.id: each for each in notebook(number).questions}
    if id not in known:
        raise ValueError(f"question id: {id!r} is not in {number}.toml, which has {[*known]}.")
    return known[id]


def read_notebook(path: Path, known: Iterable[str]) -> Notebook:
    """One notebook's data with its questions, every field checked.

    `known` holds the ids of all misconceptions.
    Raises: ValueError naming file, question and field, what was expected and what came.
    """
    whole = read_toml(path)
    check_names(whole, path.name, {"notebook"}, {"question"})
    where = f"{path.name}, notebook"
    about = whole["notebook"]
    if isinstance(about, dict):
        check_names(about, where, {"title", "question", "minutes", "summary"})
        about = {"number": path.stem, **about}
    read = read_table(Notebook, about, where)
    asked: dict[str, Question] = {}
    for place, table in enumerate(tables_of(whole, "question", path.name), start=1):
        one = _question(table, f"{path.name}, question {place}", path, known)
        if one.id in asked:
            raise ValueError(f"{path.name}, {one.id}, field 'id': used twice. Rename one.")
        asked[one.id] = one
    return msgspec.structs.replace(read, questions=tuple(asked.values()))


def _question(table: Any, where: str, path: Path, known: Iterable[str]) -> Question:
    id = table.get("id", "") if isinstance(table, dict) else ""
    named = _ID.fullmatch(id) if isinstance(id, str) else None
    if named is None or named[1] != path.stem:
        expected = f'"{path.stem}/" and a name such as first-row'
        raise ValueError(f"{where}, {FieldError('id', expected, id)}")
    if keyword.iskeyword(id[3:].replace("-", "_")):
        raise ValueError(f"{where}, {FieldError('id', 'a name that can be a Python variable', id)}")
    where = f"{path.name}, {id}"
    kind = KINDS.get(str(table.get("kind")))
    if kind is None:
        problem = FieldError("kind", f"one of {', '.join(KINDS)}", table.get("kind"))
        raise ValueError(f"{where}, {problem}")
    read = read_table(kind, table, where)
    for place, answer in enumerate(read.named, start=1):
        if answer.misconception is not None and answer.misconception not in known:
            expected = "an id of misconceptions.toml"
            problem = FieldError("misconception", expected, answer.misconception)
            raise ValueError(f"{where}, {read.named_in} {place}, {problem}")
    return read

"""Gives the questions of the course by id, by notebook or all; files are read when asked for."""

from functools import cache
from pathlib import Path

from attn_lab.course.forms import Misconception, NearMiss, Notebook, Option, Question
from attn_lab.course.loading import read_misconceptions, read_notebook

__all__ = [
    "Misconception",
    "NearMiss",
    "Notebook",
    "Option",
    "Question",
    "misconceptions",
    "notebook",
    "notebook_numbers",
    "question",
    "questions",
]

FOLDER = Path(__file__).parent


def notebook_numbers() -> list[str]:
    """Returns the numbers of all notebooks that have questions, in order."""
    return sorted(path.stem for path in FOLDER.glob("[0-9][0-9].toml"))


@cache
def misconceptions() -> dict[str, Misconception]:
    """Returns every misconception by its id, each idea named once for the whole course."""
    return read_misconceptions(FOLDER / "misconceptions.toml")


@cache
def notebook(number: str) -> Notebook:
    """Returns one notebook's data, read when first asked for.

    Raises: ValueError for a number that has no questions, or a malformed file.
    """
    if number not in notebook_numbers():
        raise ValueError(
            f"notebook: expected one of {', '.join(notebook_numbers())}; got {number!r}."
        )
    return read_notebook(FOLDER / f"{number}.toml", misconceptions())


def questions(number: str | None = None) -> list[Question]:
    """Returns the questions of one notebook, or of the whole course, in their order."""
    chosen = notebook_numbers() if number is None else [number]
    return [question for each in chosen for question in notebook(each).questions]


def question(id: str) -> Question:
    """Returns the question with this id; only its own notebook's file is read.

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

"""The table of statements: each of S1 to S30 has a place in the course, and it exists."""

import tomllib
from pathlib import Path

import pytest

from attn_lab.course.questions import questions
from tests.helpers.notebook_files import NOTEBOOKS, read

HERE = Path(__file__).parent
TABLE = tomllib.loads((HERE / "statements.toml").read_text(encoding="utf-8"))
HOW = ("predicted", "shown", "told")


def cells_of_course() -> set[str]:
    """Every cell as "notebook/cell id"."""
    return {f"{path.name[:2]}/{cell['id']}" for path in NOTEBOOKS for cell in read(path)["cells"]}


def faults(statement: str, places: list[str], cells: set[str]) -> list[str]:
    """What is untrue about the places of one statement."""
    found = []
    asked = {question.id: question.statements for question in questions()}
    for place in places:
        cell, _, how = place.partition(": ")
        question = cell.replace("/predict-", "/")
        if cell not in cells:
            found.append(f"{cell} is no cell of the course")
        elif how not in HOW:
            found.append(f"{cell}: how must be one of {HOW}; got {how!r}")
        elif how == "predicted" and statement not in asked.get(question, ()):
            found.append(f"{question} does not say that it is about {statement}")
    if not places:
        found.append("no place")
    return found


def test_the_table_holds_every_statement() -> None:
    assert list(TABLE) == [f"S{number}" for number in range(1, 31)]


@pytest.mark.parametrize("statement", TABLE)
def test_a_statement_stands_where_the_table_says(statement: str) -> None:
    assert faults(statement, TABLE[statement]["places"], cells_of_course()) == []


@pytest.mark.parametrize(
    "places",
    [
        [],
        ["05/predict-gone: predicted"],
        ["05/predict-first-row: sung"],
        ["05/predict-very-hot: predicted"],  # a question, but not about this statement
    ],
)
def test_a_place_that_is_not_there_is_found(places: list[str]) -> None:
    assert faults("S26", places, cells_of_course())

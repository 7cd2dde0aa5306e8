"""What each notebook computes is what its explanation explains.

The right answers were worked out without the notebook: those of numbers, cells and shapes beside
the near misses (RIGHT in `tests/course/near_misses/of_NN.py`), those of choices in
`right_options.toml`. nbval alone would not notice a wrong answer that `make notebooks` has stored.
"""

import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from attn_lab.course.editions import text_of
from attn_lab.course.kinds import Question
from attn_lab.course.questions import question, questions
from attn_lab.predict.comparisons import as_text
from tests.helpers.notebook_files import ASK, REVEAL

HERE = Path(__file__).parent
TABLES = sorted((HERE.parent / "course" / "near_misses").glob("of_*.py"))
RIGHT = {id: right for path in TABLES for id, right in runpy.run_path(str(path))["RIGHT"].items()}
OPTIONS = tomllib.loads((HERE / "right_options.toml").read_text("utf-8"))
# What was drawn or trained comes out near the worked-out number; the tolerance says how near.
MEASURED = {"03/spread", "04/next-token"}
# The learner's own count: nothing is counted while results are always shown.
OWN = {"01/how-many": [0]}


def revealed(nb: dict[str, Any]) -> Iterator[tuple[Question, str]]:
    """Give each question that a notebook reveals, and the table that is stored for it."""
    asked: dict[str, str] = {}
    for cell in nb["cells"]:
        source = text_of(cell["source"])
        asked |= dict(ASK.findall(source))
        for name in REVEAL.findall(source) if cell["cell_type"] == "code" else []:
            shown = next(o["data"] for o in cell["outputs"] if "text/plain" in o.get("data", {}))
            yield question(asked[name]), text_of(shown["text/plain"]).split("\n\n")[1]


def worked_out(asked: Question) -> Any:
    """The right answer, in the form that is compared."""
    if asked.kind == "choice":
        return OPTIONS.get(asked.id)
    right = OWN[asked.id] if asked.id in OWN else RIGHT[asked.id]()
    return asked.read_computed(right)


def wrong(asked: Question, table: str) -> bool:
    """Whether the stored table shows another answer than the one worked out."""
    right = worked_out(asked)
    if asked.id in MEASURED:
        shown = [float(each) for each in re.findall(r"no prediction +(\S+)", table)]
        return asked.difference(shown, right) > 1
    return table != as_stored(asked, right)


def as_stored(asked: Question, computed: Any) -> str:
    """The table of a computed value as a card's text has it, with how it is to be read."""
    table = as_text(asked.beside(None, computed, None))
    return "\n".join(filter(None, [table, asked.legend(False)]))


def test_every_stored_answer_is_the_one_worked_out_without_the_notebook(notebook):
    found = list(revealed(notebook))
    assert [asked.id for asked, table in found if wrong(asked, table)] == []


@pytest.mark.parametrize("asked", questions(), ids=lambda asked: asked.id)
def test_every_question_has_an_answer_worked_out(asked):
    if asked.kind == "choice":
        assert asked.id in OPTIONS, f"add the key of its right option to {HERE}/right_options.toml"
    else:
        number = asked.notebook
        assert asked.id in {*RIGHT, *OWN}, f"add it to RIGHT in near_misses/of_{number}.py"


def test_no_answer_is_left_over_from_a_question_that_is_gone():
    assert {*OPTIONS, *RIGHT, *OWN} <= {asked.id for asked in questions()}


@pytest.mark.parametrize(
    ("id", "other"),
    [
        ("05/first-row", [0.9, 0.1, 0, 0]),
        ("06/empty-rows", [[0, 0], [1, 1], [0, 0], [0, 0]]),
        ("07/split-shape", [2, 8, 10, 64]),
        ("06/one-query", "last"),
        ("03/spread", [2, 8, 16]),
    ],
)
def test_another_stored_answer_would_be_found(id, other):
    asked = question(id)
    assert wrong(asked, as_stored(asked, other))
    assert not wrong(asked, as_stored(asked, worked_out(asked)))

"""What an instructor needs beside the questions: a sheet for each notebook, and the plans.

The run sheets and plans in notebooks/teaching/ are written from this and from the questions.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from attn_lab.course.loading import Checked, check_names, read_table, read_toml, tables_of

PATH = Path(__file__).parent / "teaching.toml"
PLANS = (60, 90, 180)  # minutes


class Step(Checked, frozen=True, kw_only=True):
    """Something that the room does together `after` a question.

    In the row of one named "explorer" the sheet says by itself what opens it.
    """

    after: str
    name: str
    minutes: float
    say: str = ""
    ask_next: str
    picture: str


class Sheet(Checked, frozen=True, kw_only=True):
    """A notebook's part of teaching.toml; ids stand for questions of that notebook.

    `expect` names wrong answers by option or near miss, where the first few are not the ones to
    expect; `explorer_after` is the question that opens the explorer; `alone` is a note for those
    who take the course by themselves. What is offered for home and to fast finishers comes from
    the tasks and the extras; the fields of these names add to it.
    """

    needs: str
    aim: str
    say_first: str
    close: str
    cut_if_late: tuple[str, ...]
    never_cut: tuple[str, ...]
    breaks: tuple[str, ...]
    hints: dict[str, str]
    for_home: str = ""
    fast_finishers: str = ""
    alone: str = ""
    explorer_after: str = ""
    expect: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    step: tuple[Step, ...] = ()


class PlanRow(Checked, frozen=True, kw_only=True):
    """A row of the plans: a question, a task, a question's result to show, an explorer or a name.

    `plans` are the ones that have it. A question's minutes are its own; the others say theirs.
    """

    plans: tuple[int, ...]
    question: str = ""
    task: str = ""
    show: str = ""
    explorer: str = ""  # a notebook's number
    name: str = ""
    do: str = ""
    minutes: float = 0
    each_notebook: float = 0  # minutes
    note: str = ""


@dataclass(frozen=True)
class Teaching:
    """Every sheet by its notebook's number, and the rows of the plans."""

    sheets: dict[str, Sheet]
    plan: tuple[PlanRow, ...]


@cache
def teaching() -> Teaching:
    """What the course says to instructors, read when first asked for."""
    return read_teaching(PATH)


def read_teaching(path: Path) -> Teaching:
    """The contents of a file such as teaching.toml.

    Raises: ValueError naming file, sheet or row, and field.
    """
    whole, name = read_toml(path), path.name
    check_names(whole, name, {"sheet", "plan"})
    sheets = whole["sheet"].items()
    rows = enumerate(tables_of(whole, "plan", name), start=1)
    return Teaching(
        {number: read_table(Sheet, table, f"{name}, sheet {number}") for number, table in sheets},
        tuple(read_table(PlanRow, table, f"{name}, plan row {n}") for n, table in rows),
    )

"""The course's "Make" tasks as data: what is asked for, the hints, what to think of afterwards."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from attn_lab.course.loading import (
    Checked,
    FieldError,
    check_names,
    read_table,
    read_toml,
    tables_of,
)

PATH = Path(__file__).parent / "tasks.toml"
DEPTHS = ("core", "extra")
HINTS = 3
NOT_YET = "not yet"
_ID = re.compile(r"\d\d/[a-z0-9]+(-[a-z0-9]+)*")


class Task(Checked, frozen=True):
    """One task: `asks` completes "Asked for:", `after` is said once it is passed."""

    id: str
    grader: str
    title: str
    depth: str
    asks: str
    after: str
    hints: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth not in DEPTHS:
            raise FieldError("depth", f"one of {', '.join(DEPTHS)}", self.depth)
        if len(self.hints) != HINTS:
            raise FieldError("hints", f"{HINTS} hints", list(self.hints))


def read_tasks(path: Path) -> dict[str, Task]:
    """The tasks of a file by id, every field checked.

    Raises: ValueError naming file, task and field, what was expected and what came.
    """
    whole = read_toml(path)
    check_names(whole, path.name, {"task"})
    tables = enumerate(tables_of(whole, "task", path.name), start=1)
    read = [_task(table, path.name, place) for place, table in tables]
    for names in ([each.id for each in read], [each.grader for each in read]):
        if len(set(names)) < len(names):
            raise ValueError(f"{path.name}: ids and graders are used once; got {names}.")
    return {each.id: each for each in read}


@cache
def tasks() -> dict[str, Task]:
    """Every task by its id, in the order of the notebooks."""
    return read_tasks(PATH)


def task(id: str) -> Task:
    """The task with this id.

    Raises: ValueError for an id that the course does not have.
    """
    if id not in tasks():
        raise ValueError(f"task: expected one of {', '.join(tasks())}; got {id!r}.")
    return tasks()[id]


def verdict_line(id: str, verdict: str) -> str:
    """The line with which a grader's message begins.

    >>> verdict_line("04/causal-mask", NOT_YET)
    'Make 04/causal-mask: not yet'
    """
    return f"Make {id}: {verdict}"


def _task(table: Any, file: str, place: int) -> Task:
    id = table.get("id", "") if isinstance(table, dict) else ""
    if not isinstance(id, str) or not _ID.fullmatch(id):
        expected = "a notebook's number and a name, such as 04/causal-mask"
        raise ValueError(f"{file}, task {place}, {FieldError('id', expected, id)}")
    return read_table(Task, table, f"{file}, {id}")

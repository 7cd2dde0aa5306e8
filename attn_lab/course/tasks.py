"""The course's "Make" tasks as data: what is asked for, the hints, what to think of afterwards."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from attn_lab.course.fields import Fields

PATH = Path(__file__).parent / "tasks.toml"
HINTS = 3
_ID = re.compile(r"\d\d/[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Task:
    """One task: `asks` completes "Asked for:", `after` is said once it is passed."""

    id: str
    grader: str
    title: str
    depth: str
    asks: str
    after: str
    hints: tuple[str, ...]


def read_tasks(path: Path) -> dict[str, Task]:
    """Returns the tasks of a file by id, every field checked.

    Raises: ValueError naming file, task and field, what was expected and what came.
    """
    whole = Fields(tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    read = [_task(table, f"{path.name}, task {n}") for n, table in enumerate(_tables(whole), 1)]
    for names in ([each.id for each in read], [each.grader for each in read]):
        if len(set(names)) < len(names):
            raise ValueError(f"{path.name}: ids and graders are used once; got {names}.")
    return {each.id: each for each in read}


@cache
def tasks() -> dict[str, Task]:
    """Returns every task by its id, in the order of the notebooks."""
    return read_tasks(PATH)


def task(id: str) -> Task:
    """Returns the task with this id.

    Raises: ValueError for an id that the course does not have.
    """
    if id not in tasks():
        raise ValueError(f"task: expected one of {', '.join(tasks())}; got {id!r}.")
    return tasks()[id]


def _tables(whole: Fields) -> list[Any]:
    tables = whole.tables("task")
    whole.finish("[[task]]")
    return tables


def _task(table: Any, where: str) -> Task:
    fields = Fields(table, where)
    id = fields.take("id")
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise fields.refusal("id", "a notebook's number and a name, such as 04/causal-mask", id)
    fields.where = f"{where.partition(',')[0]}, {id}"
    read = Task(
        id=id,
        grader=fields.text("grader"),
        title=fields.text("title"),
        depth=fields.one_of("depth", ("core", "extra")),
        asks=fields.text("asks"),
        after=fields.text("after"),
        hints=fields.texts("hints"),
    )
    if len(read.hints) != HINTS:
        raise fields.refusal("hints", f"{HINTS} hints", list(read.hints))
    fields.finish("a task")
    return read

"""Each "Make" task can be passed: its cells run with the solution, which only `tests/` holds."""

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from attn_lab.course.editions import as_text, learner_copy, text_of
from attn_lab.course.tasks import Task, tasks
from attn_lab.record import Store
from tests.helpers.notebook_files import BY_NUMBER, read

SOLUTIONS = Path(__file__).with_name("solutions")
TASKS = [task for task in tasks().values() if task.id[:2] in BY_NUMBER]
PARTS = ("make", "stub", "grade", "hints")


pytestmark = pytest.mark.usefixtures("own_store")


@pytest.fixture(params=TASKS, ids=lambda task: task.id)
def task(request: pytest.FixtureRequest) -> Task:
    """Each task whose notebook there is."""
    return request.param


def cells_of(task: Task) -> dict[str, str]:
    """The sources of a task's cells, by the first word of their ids, in their order."""
    cells = read(BY_NUMBER[task.id[:2]])["cells"]
    name = task.id[3:]
    return {
        part: text_of(cell["source"])
        for cell in cells
        for part in [cell["id"].removesuffix(f"-{name}")]
        if cell["id"] == f"{part}-{name}" and part in PARTS
    }


def solution_of(task: Task) -> str:
    return (SOLUTIONS / f"{task.grader}.py").read_text("utf-8")


def verdict(*sources: str) -> Any:
    """What the last expression of some cells is, run one after the other."""
    names: dict[str, Any] = {}
    *before, last = [node for source in sources for node in ast.parse(source).body]
    exec(compile(ast.Module(before, []), "cells", "exec"), names)
    assert isinstance(last, ast.Expr)
    return eval(compile(ast.Expression(last.value), "cells", "eval"), names)


def functions(source: str) -> dict[str, list[str]]:
    """The functions that a source defines, and the names of their arguments."""
    names: dict[str, Any] = {}
    exec(source, names)
    made = {name: each for name, each in names.items() if name.startswith("my_")}
    return {name: list(inspect.signature(each).parameters) for name, each in made.items()}


def test_a_notebook_has_the_cells_of_each_of_its_tasks_before_its_summary(task):
    assert [*cells_of(task)] == [*PARTS]
    sources = [text_of(c["source"]) for c in read(BY_NUMBER[task.id[:2]])["cells"]]
    asked = sources.index(cells_of(task)["hints"])
    assert asked < sources.index(f'summary("{task.id[:2]}")')
    assert cells_of(task)["hints"] == f'grade.hints("{task.id}")'


def test_the_solution_passes_in_the_tasks_own_cell(task):
    cells = cells_of(task)
    passed = verdict(cells["stub"], solution_of(task), cells["grade"])
    assert passed.passed, passed.message


def test_the_stub_runs_and_is_told_what_is_missing(task):
    cells = cells_of(task)
    open_one = verdict(cells["stub"], cells["grade"])
    assert (open_one.passed, open_one.begun) == (False, False)
    assert open_one.message.splitlines()[-1] == f"Asked for: {task.asks}"


def test_the_solution_fills_in_the_stub_and_nothing_else(task):
    assert functions(solution_of(task)) == functions(cells_of(task)["stub"])


def test_no_notebook_and_no_hint_holds_a_line_of_the_solution(task):
    source = solution_of(task).split("def ", 1)[1]
    given = cells_of(task)["stub"]  # what the stub itself says is no secret
    lines = [line.strip() for line in source.splitlines()[1:] if line not in given]
    told = re.sub(r"\s+", " ", "\n".join([*cells_of(task).values(), *task.hints]))
    assert [line for line in lines if len(line) > 15 and line in told] == []


def test_a_learners_copy_with_the_solution_runs_whole_and_keeps_the_verdict(own_store, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    task = tasks()["01/softmax-row"]
    nb = learner_copy(read(BY_NUMBER["01"]))
    cells = {cell["id"]: cell for cell in nb["cells"]}
    cells["stub-softmax-row"]["source"] = [solution_of(task)]
    node = nbformat.reads(as_text(nb), as_version=4)
    quiet = ["--log-level=40"]  # no notice about the kernel's transport
    NotebookClient(node, timeout=120, kernel_name="python3", extra_arguments=quiet).execute()
    shown = next(cell for cell in node.cells if cell.id == "grade-softmax-row").outputs
    assert shown[0].data["text/plain"].startswith("Make 01/softmax-row: passed")
    kept = Store(own_store).tasks()
    assert [(one.task, one.passed) for one in kept] == [(task.id, True)]

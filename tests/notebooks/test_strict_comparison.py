"""Plain pytest, from any folder, finds every stored output that is no longer true."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
DRAWS = 'print(\'<img alt="weights" src="data:image/svg+xml;base64,AAAA="> 0.67 0.33\')'
DRAWN = '<img alt="weights" src="data:image/svg+xml;base64,BBBB="> 0.67 0.33\n'

# what a cell runs, and what is stored
CASES = {
    "right": ('print("0.67")', "0.67\n"),
    "wrong": ('print("0.67")', "0.68\n"),
    "missing": ('print("0.67")', None),
    "reveals": ('import os\nprint(os.environ["ATTN_LAB_REVEAL"])', "always\n"),
    "scratch": ('import os\nprint("own.db" in os.environ["ATTN_LAB_STORE"])', "False\n"),
    "redrawn": (DRAWS, DRAWN),
    "relabelled": (DRAWS, DRAWN.replace("0.33", "0.34")),
}


def write(path: Path, cases: Collection[tuple[str, str | None]]) -> None:
    """Write a notebook with a cell for each case."""
    stored = [
        [] if text is None else [nbformat.v4.new_output("stream", name="stdout", text=text)]
        for _, text in cases
    ]
    cells = [
        nbformat.v4.new_code_cell(source, id=f"cell-{n}", execution_count=n, outputs=outputs)
        for n, ((source, _), outputs) in enumerate(zip(cases, stored, strict=True), start=1)
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory) -> dict[str, str]:
    """Each case's verdict, from one plain pytest run in another folder."""
    project = tmp_path_factory.mktemp("project")
    for name in ("pyproject.toml", "conftest.py", "notebooks/conftest.py"):
        (project / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, project / name)
    (project / "tests" / "notebooks").mkdir(parents=True)
    shutil.copy(ROOT / "tests/notebooks/nbval.cfg", project / "tests/notebooks/nbval.cfg")
    write(project / "notebooks" / "cases.ipynb", CASES.values())
    (project / "attn-lab-notebooks").mkdir()
    write(project / "attn-lab-notebooks" / "learner.ipynb", [("print(1)", "2\n")])
    environment = {**os.environ, "ATTN_LAB_STORE": "/home/learner/own.db"}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "--color=no", str(project)],
        cwd=tmp_path_factory.mktemp("elsewhere"),
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
    )
    found = re.findall(r"^(PASSED|FAILED|ERROR) \S*?(\w+)\.ipynb::Cell (\d+)", run.stdout, re.M)
    assert found, run.stdout + run.stderr
    return {
        [*CASES][int(cell)] if file == "cases" else file: verdict for verdict, file, cell in found
    }


@pytest.mark.parametrize("name", ["right", "reveals", "scratch", "redrawn"])
def test_a_notebook_that_is_true_passes(verdicts, name):
    assert verdicts[name] == "PASSED"


@pytest.mark.parametrize("name", ["wrong", "missing", "relabelled"])
def test_a_notebook_that_is_not_true_fails(verdicts, name):
    assert verdicts[name] == "FAILED"


def test_a_learners_copy_is_not_compared(verdicts):
    assert "learner" not in verdicts


def test_there_is_one_sanitise_rule():
    rules = (ROOT / "tests/notebooks/nbval.cfg").read_text("utf-8")
    assert re.findall(r"^replace: (.*)$", rules, re.MULTILINE) == ["SVG"]

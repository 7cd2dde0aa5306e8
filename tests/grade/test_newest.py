"""After a cell that failed, the function of before is not graded in place of what stands there."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from attn_lab.grade.newest import why_not_newest
from attn_lab.record import open_store

RIGHT = "def my_row(scores):\n    import torch\n    return torch.tensor(scores).softmax(-1)\n"
STUB = "def my_row(scores):\n    return ...\n"
BROKEN = "def my_row(scores)\n    return scores\n"


@pytest.fixture
def shell(monkeypatch, capsys):
    """A real shell, with the history of a notebook's cells."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.run_cell("from attn_lab import grade", store_history=True)
    yield shell
    InteractiveShell.clear_instance()


def graded(shell, *cells):
    for cell in cells:
        shell.run_cell(cell, store_history=True)
    return shell.run_cell("grade.softmax_row(my_row)", store_history=True).result


@pytest.mark.parametrize(
    ("newer", "why"),
    [
        (BROKEN, "expected ':' in line 1: `def my_row(scores)`"),
        ("dfe my_row(scores):\n    return scores\n", "invalid syntax in line 1"),
        ("def my_row(scores):\n    return (scores\n", "'(' was never closed in line 2"),
        ("def my_row(scores):\nreturn scores\n", "expected an indented block"),
        ("  def my_row(scores):\nreturn scores\n", "in line 1"),
        ("def my_row(scores, scores):\n    return scores\n", "duplicate argument 'scores'"),
        ("%%time\n" + BROKEN, "expected ':' in line 1"),
        ("import nowhere\n" + STUB, "an error before its definition"),
        ("@nowhere\n" + STUB, "an error before its definition"),
    ],
)
def test_a_failed_cell_is_said_and_the_function_of_before_is_not_graded(shell, newer, why):
    for before in (RIGHT, STUB):
        verdict = graded(shell, before, newer)
        assert verdict.message.startswith("Make 01/softmax-row: not graded\n\nThe newest cell")
        assert why in verdict.message and not verdict.passed
    assert open_store().tasks() == []


@pytest.mark.parametrize(
    "cells",
    [
        (RIGHT,),
        (BROKEN, RIGHT),
        (RIGHT, BROKEN, RIGHT),
        (RIGHT, "my_row([1.0, 2.0)"),  # a failed call is no failed definition
        (RIGHT, "[my_row([1.0]) for _ in ]"),
        (RIGHT, "1 / 0"),
        (RIGHT, "old = my_row", BROKEN, "my_row = old"),
        (BROKEN, "%%time\n" + RIGHT),
        (STUB, "%%capture\n" + RIGHT),
        (RIGHT, "import functools\nmy_row = functools.partial(my_row)"),
        ("exec(" + repr(RIGHT) + ")",),
        (BROKEN, "%%writefile notes.txt\ndef my_row(scores) is missing a colon", RIGHT),
    ],
)
def test_what_the_newest_cell_defined_is_graded(shell, cells, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert graded(shell, *cells).passed


def test_what_was_kept_under_another_name_is_graded(shell):
    for cell in (RIGHT, "old = my_row", STUB, BROKEN):
        shell.run_cell(cell, store_history=True)
    assert shell.run_cell("grade.softmax_row(old)", store_history=True).result.passed


def test_a_class_that_failed_is_said_too(shell):
    module = "class Row:\n    def __call__(self, scores):\n        return ...\n"
    for cell in (module, module.replace("...", "(")):
        shell.run_cell(cell, store_history=True)
    verdict = shell.run_cell("grade.softmax_row(Row())", store_history=True).result
    assert "The newest cell that defines Row stopped with '(' was never closed" in verdict.message


def test_without_a_notebook_nothing_is_said():
    InteractiveShell.clear_instance()
    assert why_not_newest(test_without_a_notebook_nothing_is_said) == ""


def test_in_a_kernel_a_failed_cell_is_said_too(tmp_path):
    import nbformat
    from nbclient import NotebookClient

    sources = ("from attn_lab import grade", RIGHT, BROKEN, "grade.softmax_row(my_row)")
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=120, allow_errors=True, kernel_name="python3").execute()
    (shown,) = notebook.cells[-1].outputs
    assert shown["data"]["text/plain"].startswith("Make 01/softmax-row: not graded")

"""Every cell was run, in order, by the right kernel, without a complaint, and its output stored.

nbval passes in silence over a cell that was never run, whatever it prints.
"""

import ast
from typing import Any

import pytest

from attn_lab.course.editions import Notebook, as_text, normalise, text_of
from tests.helpers.notebook_files import code_cells

SHOWS = {"print", "display", "reveal", "then", "summary"}


def counts_run_from_one(nb: Notebook) -> list[str]:
    counts = [cell["execution_count"] for cell in code_cells(nb)]
    return [] if counts == [*range(1, len(counts) + 1)] else [f"counts: {counts}"]


def what_shows_something_has_an_output(nb: Notebook) -> list[str]:
    """A cell that ends in an expression, or prints or displays, stores what it showed."""
    return [cell["id"] for cell in code_cells(nb) if _shows(cell) and not cell["outputs"]]


def _shows(cell: dict[str, Any]) -> bool:
    tree = ast.parse(text_of(cell["source"]))
    nodes = [*ast.walk(tree)]
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    called += [each for node in nodes for each in getattr(node, "decorator_list", [])]
    names = {getattr(each, "id", getattr(each, "attr", "")) for each in called}
    return bool(SHOWS & names) or (bool(tree.body) and isinstance(tree.body[-1], ast.Expr))


def nothing_went_wrong(nb: Notebook) -> list[str]:
    """No error is stored, and nothing on stderr: a warning is a line that varies by machine."""
    found = [(cell["id"], output) for cell in code_cells(nb) for output in cell["outputs"]]
    kinds = [(id, output.get("name", output["output_type"])) for id, output in found]
    return [f"{id}: {kind}" for id, kind in kinds if kind in ("stderr", "error")]


def the_kernel_is_python3(nb: Notebook) -> list[str]:
    """Any other name opens a question about kernels on the learner's machine."""
    name = nb["metadata"].get("kernelspec", {}).get("name")
    return [] if name == "python3" else [f"kernelspec: {name}"]


def it_is_in_normal_form(nb: Notebook) -> list[str]:
    return [] if as_text(normalise(nb)) == as_text(nb) else ["run make notebooks"]


RULES = (
    counts_run_from_one,
    what_shows_something_has_an_output,
    nothing_went_wrong,
    the_kernel_is_python3,
    it_is_in_normal_form,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_notebook_keeps(rule, notebook):
    assert rule(notebook) == []


def test_every_file_is_what_a_build_writes(path, notebook):
    assert path.read_text("utf-8") == as_text(notebook)


def test_the_small_notebook_keeps_every_rule(tiny):
    assert [rule(tiny) for rule in RULES] == [[]] * len(RULES)


@pytest.mark.parametrize("count", [None, 2, 99])
def test_a_cell_that_was_not_run_in_order_is_found(tiny, count):
    tiny["cells"][-1]["execution_count"] = count
    assert counts_run_from_one(tiny) == [f"counts: [1, 2, 3, {count}]"]


@pytest.mark.parametrize(
    "source",
    [
        "1 + 1",
        "for x in range(3):\n    print(x)",
        "y = 1\ny",
        "row.reveal(w)",
        "@row.then\ndef found(): ...",
        'summary("05")',
    ],
)
def test_a_missing_output_is_found(tiny, source):
    tiny["cells"][-1] |= {"source": [source], "outputs": []}
    assert what_shows_something_has_an_output(tiny) == ["again"]


def test_a_cell_that_shows_nothing_needs_no_output(tiny):
    tiny["cells"][-1] |= {"source": ["y = 1\n", "z = f(y)"], "outputs": []}
    assert what_shows_something_has_an_output(tiny) == []


def test_a_warning_on_stderr_is_found(tiny):
    tiny["cells"][-1]["outputs"][0]["name"] = "stderr"
    assert nothing_went_wrong(tiny) == ["again: stderr"]


def test_a_stored_error_is_found(tiny):
    error = {"output_type": "error", "ename": "ValueError", "evalue": "", "traceback": []}
    tiny["cells"][-1]["outputs"].append(error)
    assert nothing_went_wrong(tiny) == ["again: error"]


@pytest.mark.parametrize("spec", [{"kernelspec": {"name": "conda-env-x-py"}}, {}])
def test_another_kernel_is_found(tiny, spec):
    tiny["metadata"] = spec
    assert the_kernel_is_python3(tiny) != []
    assert it_is_in_normal_form(tiny) != []

"""What answers a prediction is folded away, and the line that stays visible says nothing."""

from typing import Any

import pytest

from attn_lab.course.editions import Notebook, is_gated, text_of
from attn_lab.predict.ask import AFTER
from attn_lab.predict.card import TITLE
from attn_lab.predict.closing import SUMMARY

# JupyterLab shows the first line of a hidden output, so it must be one of these.
FIRST_LINES = (TITLE, AFTER, SUMMARY)


def exactly_the_gated_cells_are_hidden(nb: Notebook) -> list[str]:
    """A cell that reveals is folded; one that is folded for nothing would only puzzle."""
    wrong = []
    for cell in nb["cells"]:
        hidden = cell["metadata"].get("jupyter", {}).get("outputs_hidden", False)
        if hidden is not is_gated(cell):
            wrong.append(cell["id"])
    return wrong


def a_hidden_output_begins_with_a_bare_line(nb: Notebook) -> list[str]:
    """Nothing is printed before a reveal, and both forms begin with the same harmless line."""
    return [cell["id"] for cell in nb["cells"] if is_gated(cell) and not _begins_bare(cell)]


def _begins_bare(cell: dict[str, Any]) -> bool:
    first = cell["outputs"][0].get("data", {}) if cell["outputs"] else {}
    lines = {text_of(first.get(mime, "")).split("\n")[0] for mime in ("text/html", "text/plain")}
    return len(lines) == 1 and lines <= set(FIRST_LINES)


RULES = (exactly_the_gated_cells_are_hidden, a_hidden_output_begins_with_a_bare_line)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_notebook_keeps(rule, notebook):
    assert rule(notebook) == []


@pytest.fixture
def reveal(tiny) -> dict[str, Any]:
    """The revealing cell of a notebook in which every rule holds."""
    assert [rule(tiny) for rule in RULES] == [[], []]
    return next(cell for cell in tiny["cells"] if cell["id"] == "reveal-first-row")


def test_a_gated_cell_that_lies_open_is_found(tiny, reveal):
    del reveal["metadata"]["jupyter"]
    assert exactly_the_gated_cells_are_hidden(tiny) == ["reveal-first-row"]


def test_a_cell_that_is_folded_for_nothing_is_found(tiny):
    tiny["cells"][-1]["metadata"]["jupyter"] = {"outputs_hidden": True}
    assert exactly_the_gated_cells_are_hidden(tiny) == ["again"]


@pytest.mark.parametrize(
    "source",
    ['summary("05")', "first_row.then(heatmap(w))", "@row.reveal\ndef found(): ..."],
)
def test_the_other_gates_count_as_gates(tiny, source):
    tiny["cells"][-1]["source"] = [source]
    assert exactly_the_gated_cells_are_hidden(tiny) == ["again"]
    assert a_hidden_output_begins_with_a_bare_line(tiny) == ["again"]


def test_a_print_before_the_reveal_is_found(tiny, reveal):
    printed = {"output_type": "stream", "name": "stdout", "text": ["0.67\n"]}
    reveal["outputs"].insert(0, printed)
    assert a_hidden_output_begins_with_a_bare_line(tiny) == ["reveal-first-row"]


@pytest.mark.parametrize("mime", ["text/html", "text/plain"])
@pytest.mark.parametrize("line", ["The weight is 0.67", f"<p>{FIRST_LINES[0]}</p>", ""])
def test_a_first_line_that_leaks_is_found(tiny, reveal, mime, line):
    data = reveal["outputs"][0]["data"]
    data[mime] = [f"{line}\n", *data[mime][1:]]
    assert a_hidden_output_begins_with_a_bare_line(tiny) == ["reveal-first-row"]


def test_two_different_bare_lines_are_found(tiny, reveal):
    reveal["outputs"][0]["data"]["text/plain"][0] = f"{FIRST_LINES[1]}\n"
    assert a_hidden_output_begins_with_a_bare_line(tiny) == ["reveal-first-row"]


@pytest.mark.parametrize("mime", ["text/html", "text/plain"])
def test_a_form_that_is_missing_is_found(tiny, reveal, mime):
    del reveal["outputs"][0]["data"][mime]
    assert a_hidden_output_begins_with_a_bare_line(tiny) == ["reveal-first-row"]


def test_a_reveal_that_shows_nothing_is_found(tiny, reveal):
    reveal["outputs"].clear()
    assert a_hidden_output_begins_with_a_bare_line(tiny) == ["reveal-first-row"]

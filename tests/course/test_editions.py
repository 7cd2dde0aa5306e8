"""The reference edition keeps what a reader needs and drops what varies; the copy is empty."""

import subprocess
import sys
from typing import Any

import pytest

from attn_lab.course.editions import as_text, is_gated, learner_copy, normalise

VIEW = "application/vnd.jupyter.widget-view+json"


def code(source: str, *outputs: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {
        "id": "a-cell",
        "cell_type": "code",
        "source": source,
        "metadata": metadata,
        "outputs": list(outputs),
        "execution_count": 7,
    }


def notebook(*cells: dict[str, Any]) -> dict[str, Any]:
    metadata = {"widgets": {"state": {}}, "kernelspec": {"name": "conda-env-x-py"}}
    return {"metadata": metadata, "nbformat": 4, "nbformat_minor": 4, "cells": list(cells)}


def printed(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def test_execution_counts_become_one_to_n_also_in_the_results():
    result = {"output_type": "execute_result", "execution_count": 9, "metadata": {}, "data": {}}
    result["data"] = {"text/plain": "1"}
    nb = normalise(notebook(code("1", result), {**code("2", result), "id": "b"}))
    assert [cell["execution_count"] for cell in nb["cells"]] == [1, 2]
    assert [cell["outputs"][0]["execution_count"] for cell in nb["cells"]] == [1, 2]


def test_widget_state_and_views_go_and_their_text_stays():
    view = {"output_type": "display_data", "metadata": {}}
    view["data"] = {VIEW: {"model_id": "f00"}, "text/plain": "Run this cell to start."}
    nb = normalise(notebook(code("ask('05/x')", view)))
    assert "widgets" not in nb["metadata"]
    assert nb["cells"][0]["outputs"][0]["data"] == {"text/plain": ["Run this cell to start."]}


def test_an_output_that_was_only_a_widget_view_disappears():
    view = {"output_type": "display_data", "metadata": {}, "data": {VIEW: {"model_id": "f00"}}}
    assert normalise(notebook(code("w", view)))["cells"][0]["outputs"] == []


def test_the_kernel_is_python3_whoever_ran_it():
    assert normalise(notebook())["metadata"]["kernelspec"]["name"] == "python3"


@pytest.mark.parametrize("edition", [normalise, learner_copy])
def test_either_edition_can_be_made_a_script(edition, tmp_path):
    path = tmp_path / "lesson.ipynb"
    path.write_text(as_text(edition(notebook(code("print(1)")))), "utf-8")
    made = [sys.executable, "-m", "nbconvert", "--to", "script", str(path)]
    subprocess.run(made, check=True, capture_output=True)
    assert "print(1)" in (tmp_path / "lesson.py").read_text("utf-8")


def test_exactly_the_gated_cells_are_hidden():
    sources = ["row.reveal(w)", "row.then(map)", 'summary("05")', "revealed = 1", "my_summary(1)"]
    hidden = {"jupyter": {"outputs_hidden": True}}
    nb = normalise(notebook(*[code(source, **hidden) for source in sources]))
    assert [cell["metadata"] for cell in nb["cells"]] == [hidden, hidden, hidden, {}, {}]


def test_markdown_that_names_a_gate_is_not_gated():
    assert not is_gated({"cell_type": "markdown", "source": "Call `row.reveal(w)` next."})


def test_what_was_printed_in_pieces_is_stored_in_one():
    pieces = [printed("a\n"), printed("b\n"), printed("c\n", "stderr"), printed("d\n")]
    outputs = normalise(notebook(code("print()", *pieces)))["cells"][0]["outputs"]
    assert [output["text"] for output in outputs] == [["a\n", "b\n"], ["c\n"], ["d\n"]]


def test_readable_ids_tags_and_the_sentences_of_the_text_are_untouched():
    text = "One sentence.\nAnother one, which is longer.\n\nA third."
    markdown = {"id": "why-a-mask", "cell_type": "markdown", "source": text, "metadata": {}}
    cell = normalise(notebook({**markdown, "metadata": {"tags": ["a"], "scrolled": True}}))[
        "cells"
    ][0]
    assert cell["id"] == "why-a-mask"
    assert cell["metadata"] == {"tags": ["a"]}
    assert cell["source"] == text.splitlines(keepends=True)


def test_normalising_twice_changes_nothing_and_the_input_is_left_alone():
    result = {"output_type": "execute_result", "execution_count": 9, "metadata": {}}
    result["data"] = {VIEW: {}, "text/plain": "1"}
    nb = notebook(code("row.reveal(1)", printed("a"), printed("b"), result, scrolled=True))
    before = as_text(nb)
    once = normalise(nb)
    assert as_text(nb) == before
    assert as_text(normalise(once)) == as_text(once)


def test_key_order_of_the_input_does_not_change_the_bytes():
    nb = notebook(code("1"))
    turned = {key: nb[key] for key in reversed(nb)}
    turned["cells"] = [{key: cell[key] for key in reversed(cell)} for cell in nb["cells"]]
    assert as_text(normalise(turned)) == as_text(normalise(nb))


def test_the_learners_copy_has_the_same_cells_and_no_trace_of_a_run():
    nb = normalise(notebook(code("row.reveal(1)", printed("0.67"), tags=["a"])))
    copy = learner_copy(nb)
    assert copy["cells"][0]["source"] == nb["cells"][0]["source"]
    assert copy["cells"][0]["outputs"] == []
    assert copy["cells"][0]["execution_count"] is None
    assert copy["cells"][0]["metadata"] == {"tags": ["a"]}
    assert "0.67" not in as_text(copy)

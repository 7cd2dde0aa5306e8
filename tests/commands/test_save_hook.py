"""What a learner saves holds the text that stood for a widget, and nothing of the widget."""

from typing import Any

import pytest

from attn_lab.commands.save_hook import strip_widgets

VIEW = "application/vnd.jupyter.widget-view+json"


def saved(*outputs: dict[str, Any], source: Any = "import attn_lab") -> dict[str, Any]:
    content = {
        "metadata": {"widgets": {"state": {}}, "kernelspec": {"name": "python3"}},
        "cells": [
            {"cell_type": "markdown", "source": "text"},
            {"cell_type": "code", "source": source, "outputs": list(outputs)},
        ],
    }
    model = {"type": "notebook", "content": content}
    strip_widgets(model, path="05.ipynb", contents_manager=object())
    return model["content"]


def test_views_and_state_go_and_everything_else_stays():
    shown = {"output_type": "display_data", "data": {VIEW: {}, "text/plain": "Run this cell."}}
    printed = {"output_type": "stream", "text": "0.67"}
    content = saved(shown, printed)
    assert content["metadata"] == {"kernelspec": {"name": "python3"}}
    assert content["cells"][1]["outputs"] == [
        {"output_type": "display_data", "data": {"text/plain": "Run this cell."}},
        {"output_type": "stream", "text": "0.67"},
    ]


@pytest.mark.parametrize("source", ["import attn_lab", ["1\n", "from attn_lab import ask"]])
def test_a_notebook_is_ours_where_its_code_names_us(source):
    shown = {"output_type": "display_data", "data": {VIEW: {}, "text/plain": "Run this cell."}}
    assert "widgets" not in saved(shown, source=source)["metadata"]
    assert VIEW not in shown["data"]


def test_a_notebook_of_somebody_else_keeps_its_widgets():
    shown = {"output_type": "display_data", "data": {VIEW: {}, "text/plain": "IntSlider()"}}
    content = saved(shown, source="import ipywidgets")
    assert content["metadata"]["widgets"] == {"state": {}}
    assert content["cells"][1]["outputs"] == [shown] and VIEW in shown["data"]


@pytest.mark.parametrize(
    "model",
    [
        {"type": "file", "content": "widgets"},
        {"type": "directory", "content": []},
        {"type": "notebook", "content": None},
        {"type": "notebook"},
    ],
)
def test_what_is_no_notebook_is_left_alone(model):
    before = dict(model)
    strip_widgets(model)
    assert model == before

"""The save hook: a learner's file keeps text where a widget was, never the widget's dead view."""

from typing import Any

from attn_lab.course.editions import WIDGET_VIEW


def strip_widgets(model: dict[str, Any], **_: Any) -> None:
    """Remove widget views and state from a notebook that the server is about to save.

    A saved view points at a kernel that is gone tomorrow; JupyterLab would then show an error in
    its place, where the text beside it says to run the cell again. Jupyter calls this before
    each save, with keywords beside the model that are not needed here.

    >>> model = {"type": "notebook", "content": {"cells": [], "metadata": {"widgets": {}}}}
    >>> strip_widgets(model, path="05.ipynb")
    >>> model["content"]["metadata"]
    {}
    """
    if model.get("type") != "notebook" or not model.get("content"):
        return
    notebook = model["content"]
    notebook.get("metadata", {}).pop("widgets", None)
    for cell in notebook.get("cells", []):
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)

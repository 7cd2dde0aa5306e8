"""The save hook: a learner's file keeps text where a widget was, never the widget's dead view.

Every Jupyter server of the environment loads it, whoever starts it: the file in
`jupyter_server_config.d` beside this one is installed where they look.
"""

from typing import Any

from attn_lab.course.editions import WIDGET_VIEW, text_of


def strip_widgets(model: dict[str, Any], **_: Any) -> None:
    """Remove widget views and state from a notebook of ours that the server is about to save.

    A saved view points at a kernel that is gone tomorrow; JupyterLab would then show an error in
    its place, where the text beside it says to run the cell again. A notebook is ours where its
    code names attn_lab; others are left alone. Jupyter calls this before each save, with keywords
    beside the model that are not needed here.

    >>> cell = {"cell_type": "code", "source": "import attn_lab"}
    >>> model = {"type": "notebook", "content": {"cells": [cell], "metadata": {"widgets": {}}}}
    >>> strip_widgets(model, path="05.ipynb")
    >>> model["content"]["metadata"]
    {}
    """
    if model.get("type") != "notebook" or not model.get("content"):
        return
    notebook = model["content"]
    cells = [cell for cell in notebook.get("cells", []) if cell.get("cell_type") == "code"]
    if not any("attn_lab" in text_of(cell["source"]) for cell in cells):
        return
    notebook.get("metadata", {}).pop("widgets", None)
    for cell in cells:
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(strip_widgets)

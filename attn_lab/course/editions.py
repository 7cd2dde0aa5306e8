"""The two editions of a notebook: the executed reference, and the learner's empty copy.

Both are pure functions over a notebook's JSON (a dict); reading, running and writing happen
elsewhere, so that a build is the same bytes whoever runs it.
"""

import json
import re
from copy import deepcopy
from typing import Any

Notebook = dict[str, Any]

GATED = re.compile(r"\.(?:reveal|then)\b|\bsummary\(")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
REVEAL_MIME = "application/vnd.attn-lab.reveal+json"  # what a reveal computed, for programs
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {  # what `jupyter nbconvert --to script` asks a notebook for
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
KEPT_METADATA = ("deletable", "editable", "tags")


def is_gated(cell: dict[str, Any]) -> bool:
    """Return whether a cell shows its output only after a prediction.

    >>> is_gated({"cell_type": "code", "source": ["row.reveal(weights[0])"]})
    True
    """
    return cell["cell_type"] == "code" and bool(GATED.search(text_of(cell["source"])))


def text_of(value: str | list[str]) -> str:
    """Return a multi-line field of a notebook as one string.

    >>> text_of(["one\\n", "two"])
    'one\\ntwo'
    """
    return value if isinstance(value, str) else "".join(value)


def normalise(nb: Notebook) -> Notebook:
    """Return the reference edition: what a run gives, less whatever varies from run to run.

    >>> nb = normalise({"cells": [], "metadata": {"widgets": {}}, "nbformat": 4})
    >>> nb["metadata"]["kernelspec"]["name"], "widgets" in nb["metadata"]
    ('python3', False)
    """
    cells = [_plain_cell(cell) for cell in nb["cells"]]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    for count, cell in enumerate(code, start=1):
        cell["execution_count"] = count
        cell["outputs"] = [_output(output, count) for output in _joined(cell["outputs"])]
        cell["outputs"] = [output for output in cell["outputs"] if output.get("data", True)]
        if is_gated(cell):
            cell["metadata"]["jupyter"] = {"outputs_hidden": True}
    return _notebook(cells)


def learner_copy(nb: Notebook) -> Notebook:
    """Return the learner's edition: the same cells, with no output and nothing hidden.

    >>> cell = {"cell_type": "code", "metadata": {}, "source": "1", "outputs": ["1"]}
    >>> copy = learner_copy({"cells": [cell | {"execution_count": 1}]})
    >>> copy["cells"][0]["outputs"], copy["cells"][0]["execution_count"]
    ([], None)
    """
    cells = [_plain_cell(cell) for cell in nb["cells"]]
    for cell in cells:
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            cell["outputs"] = []
    return _notebook(cells)


def computed_values(nb: dict[str, Any]) -> dict[str, Any]:
    """The computed value of each prediction that a notebook has revealed, by the question's id."""
    outputs = [output for cell in nb["cells"] for output in cell.get("outputs", [])]
    revealed = [
        output["data"][REVEAL_MIME] for output in outputs if REVEAL_MIME in output.get("data", {})
    ]
    return {each["id"]: each["computed"] for each in revealed}


def as_text(nb: Notebook) -> str:
    """Return the notebook as its file's text: sorted keys, one space of indent, a last newline.

    >>> as_text({"b": 1, "a": "–"})
    '{\\n "a": "–",\\n "b": 1\\n}\\n'
    """
    return json.dumps(nb, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _notebook(cells: list[dict[str, Any]]) -> Notebook:
    metadata = {"kernelspec": dict(KERNEL), "language_info": dict(LANGUAGE)}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _plain_cell(cell: dict[str, Any]) -> dict[str, Any]:
    """The cell less times, folding and other traces of an editor."""
    plain = deepcopy(cell)
    plain["source"] = _lines(cell["source"])
    metadata = cell.get("metadata", {})
    plain["metadata"] = {key: metadata[key] for key in KEPT_METADATA if key in metadata}
    return plain


def _output(output: dict[str, Any], count: int) -> dict[str, Any]:
    output = deepcopy(output)
    if output["output_type"] == "execute_result":
        output["execution_count"] = count
    if "text" in output:
        output["text"] = _lines(output["text"])
    for mime in output.get("data", {}):
        if not mime.endswith("json"):
            output["data"][mime] = _lines(output["data"][mime])
    output.get("data", {}).pop(WIDGET_VIEW, None)  # a saved view is "model not found" tomorrow
    return output


def _joined(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Printed pieces that follow each other become one: how they were cut is a matter of time."""
    joined: list[dict[str, Any]] = []
    for output in outputs:
        before = joined[-1] if joined else {}
        if output["output_type"] == "stream" and before.get("name") == output["name"]:
            text = text_of(before["text"]) + text_of(output["text"])
            joined[-1] = {**before, "text": text}
        else:
            joined.append(output)
    return joined


def _lines(value: str | list[str]) -> list[str]:
    return text_of(value).splitlines(keepends=True)

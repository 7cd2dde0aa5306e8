"""A notebook of the reference edition as one page, every result shown, nothing fetched."""

import json
import re
from copy import deepcopy
from html import unescape
from pathlib import Path
from typing import Any

from attn_lab.commands.answer_key import without_prediction
from attn_lab.commands.printed_pages import page
from attn_lab.commands.worksheet import in_words
from attn_lab.course.editions import text_of
from attn_lab.course.questions import question

_ASK = re.compile(r'^\w+ = ask\("([^"]+)"\)', re.MULTILINE)
_TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)


def read_editions(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the notebooks of the reference edition by name, in the order of the course.

    Raises: ValueError when there is none, which means a damaged installation.
    """
    paths = sorted(folder.glob("*.ipynb"))
    if not paths:
        raise ValueError(f"no notebooks in {folder}. Install attn-lab again.")
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def notebook_page(nb: dict[str, Any]) -> str:
    """Return the page; a prediction stands there as its question, a folded result unfolded."""
    # basic: the only template that brings no scripts, so nothing is asked of a network
    import nbformat
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(
        template_name="basic",
        exclude_anchor_links=True,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    readable = nbformat.reads(json.dumps(for_reading(nb)), as_version=4)
    body, _ = exporter.from_notebook_node(readable)
    body = re.sub(r'(<a href="[^":/]+)\.ipynb(?=["#])', r"\1.html", body)
    body = re.sub(r"<details\b(?![^>]*\bopen\b)", "<details open", body)  # paper cannot unfold
    return page(f"{title(body)} (attn_lab, with results)", without_prediction(body), "handout")


def for_reading(nb: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with each prediction's question as its output, and nothing folded."""
    nb = deepcopy(nb)
    for cell in nb["cells"]:
        cell["metadata"] = {}
        asked = _ASK.findall(text_of(cell["source"])) if cell["cell_type"] == "code" else []
        if asked:
            html = "".join(map(in_words, map(question, asked)))
            shown = {"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}
            cell["outputs"] = [shown]
    return nb


def cells_without_run(nb: dict[str, Any]) -> int:
    """Return how many code cells have no execution count, so that their results are missing."""
    code = [cell for cell in nb["cells"] if cell["cell_type"] == "code"]
    return sum(cell.get("execution_count") is None for cell in code)


def title(html: str) -> str:
    """Return the text of the first heading.

    >>> title("<h1>Mask <em>and</em> temperature</h1>")
    'Mask and temperature'
    """
    found = _TITLE.search(html)
    return unescape(re.sub(r"<[^>]+>", "", found[1])).strip() if found else "attn_lab"

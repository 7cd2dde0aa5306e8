"""The course's notebooks as their files have them, and small ones made for a test."""

import json
import re
from pathlib import Path
from typing import Any

from attn_lab.course.editions import Notebook, text_of

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
BY_NUMBER = {path.name[:2]: path for path in NOTEBOOKS}
ASK = re.compile(r'(\w+) = ask\("([^"]+)"\)')  # the name given to a question, and its id
REVEAL = re.compile(r"\b(\w+)\.reveal\b")


def read(path: Path) -> Notebook:
    """The notebook that a file holds."""
    return json.loads(path.read_text("utf-8"))


def code_cells(nb: Notebook) -> list[dict[str, Any]]:
    """The cells of code in their order."""
    return [cell for cell in nb["cells"] if cell["cell_type"] == "code"]


def sources(nb: Notebook) -> dict[str, str]:
    """The source of each cell of code, by the cell's id."""
    return {cell["id"]: text_of(cell["source"]) for cell in code_cells(nb)}


def code(name: str, source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    """A cell of code that was run, with its outputs."""
    cell = {"cell_type": "code", "id": name, "metadata": {}, "source": source}
    return {**cell, "execution_count": 1, "outputs": list(outputs)}


def text(name: str, source: str) -> dict[str, Any]:
    """A cell of text."""
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def shown(plain: str, html: str) -> dict[str, Any]:
    """A displayed output with its two forms."""
    data = {"text/plain": plain, "text/html": html}
    return {"output_type": "display_data", "metadata": {}, "data": data}


def with_code(nb: Notebook, source: str) -> Notebook:
    """The notebook with another source in its last cell."""
    nb["cells"][-1]["source"] = source.splitlines(keepends=True)
    return nb

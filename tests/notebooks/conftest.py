"""The notebooks of the course, and a small one that keeps every rule, to be broken on purpose."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from attn_lab.course.editions import normalise

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
TITLE = "Your prediction beside the computed value"
RESULT = f"{TITLE}\n\nkey 1  0.67\nkey 2  0.33"


def code(name: str, source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    """A code cell with some outputs."""
    cell = {"cell_type": "code", "id": name, "metadata": {}, "source": source}
    return {**cell, "execution_count": 1, "outputs": list(outputs)}


def text(name: str, source: str) -> dict[str, Any]:
    """A cell of text."""
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source}


def shown(plain: str, html: str) -> dict[str, Any]:
    """A displayed output with its two forms."""
    data = {"text/plain": plain, "text/html": html}
    return {"output_type": "display_data", "metadata": {}, "data": data}


TINY = normalise(
    {
        "cells": [
            text("title", "# Mask and temperature\n\nWhat is read?"),
            code("imports", "from attn_lab.predict import ask, summary"),
            code(
                "predict-first-row",
                'first_row = ask("05/first-row")\nfirst_row',
                {
                    "output_type": "execute_result",
                    "execution_count": 1,
                    "metadata": {},
                    "data": {"text/plain": "Which weights has query 1?"},
                },
            ),
            text("committed", "Run the next cell."),
            code(
                "reveal-first-row",
                "first_row.reveal(weights[0])",
                shown(RESULT, f"{TITLE}\n<table><tr><td>0.67</td></tr></table>"),
            ),
            text("after", "The weight is 0.67."),
            code(
                "again",
                "print(two(x))",
                {"output_type": "stream", "name": "stdout", "text": "0.67\n"},
            ),
        ]
    }
)


@pytest.fixture
def tiny() -> dict[str, Any]:
    """A fresh copy of the notebook in which every rule holds."""
    return deepcopy(TINY)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    """The file of each notebook of the course."""
    return request.param


@pytest.fixture
def notebook(path: Path) -> dict[str, Any]:
    """Each notebook of the course, as its file has it."""
    return json.loads(path.read_text("utf-8"))

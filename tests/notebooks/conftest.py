"""The notebooks of the course, and a small one that keeps every rule, to be broken on purpose."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from attn_lab.course.editions import normalise
from attn_lab.predict.card import TITLE
from tests.helpers.notebook_files import NOTEBOOKS, code, read, shown, text

RESULT = f"{TITLE}\n\nkey 1  0.67\nkey 2  0.33"

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
    return read(path)

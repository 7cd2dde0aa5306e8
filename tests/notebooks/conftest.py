"""A small notebook that keeps every rule, to be broken on purpose."""

from copy import deepcopy
from typing import Any

import pytest

from attn_lab.course.editions import normalise

TITLE = "Your prediction beside the computed value"
HTML = f"{TITLE}\n<table><tr><td>0.67</td></tr></table>"


def code(name: str, source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    """A code cell with the given outputs."""
    return {
        "cell_type": "code",
        "id": name,
        "metadata": {},
        "source": source,
        "execution_count": 1,
        "outputs": list(outputs),
    }


def shown(**data: str) -> dict[str, Any]:
    """A displayed output; the mime types are written with an underscore for the slash."""
    mimes = {key.replace("_", "/", 1): value for key, value in data.items()}
    return {"output_type": "display_data", "metadata": {}, "data": mimes}


TINY = normalise(
    {
        "cells": [
            {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# What is read?"},
            code("imports", "from attn_lab.predict import ask, summary"),
            code(
                "predict-first-row",
                'first_row = ask("05/first-row")\nfirst_row',
                shown(text_plain="Which weights has query 1?"),
            ),
            code(
                "reveal-first-row",
                "first_row.reveal(weights[0])",
                shown(text_html=HTML, text_plain=f"{TITLE}\n0.67"),
            ),
            code(
                "again", "print(two(x))", {"output_type": "stream", "name": "stdout", "text": "1"}
            ),
        ]
    }
)


@pytest.fixture
def tiny() -> dict[str, Any]:
    """A fresh copy of the notebook in which every rule holds."""
    return deepcopy(TINY)

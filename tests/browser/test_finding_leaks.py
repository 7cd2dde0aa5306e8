"""The search for revealed values finds them, wherever they slip out."""

from copy import deepcopy
from typing import Any

import pytest

from attn_lab.course.editions import as_text, learner_copy, normalise
from tests.helpers.hidden_values import TITLES, found, given_away, hidden_values
from tests.helpers.lab_page import LabPage

TITLE = sorted(TITLES)[-1]
FINDING = "The first key takes two thirds of the row."
HTML = f"{TITLE}\n<table><tr><td>0.67</td></tr></table><p>{FINDING}</p>"
SHOWN = {"text/html": HTML, "text/plain": f"{TITLE}\n0.67\n{FINDING}"}
KEPT = normalise(
    {
        "cells": [
            {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# Steps of 0.25"},
            {
                "cell_type": "code",
                "id": "reveal",
                "metadata": {},
                "source": "row.reveal(weights)",
                "outputs": [{"output_type": "display_data", "metadata": {}, "data": SHOWN}],
            },
        ]
    }
)


def unfolded(nb: dict[str, Any]) -> None:
    nb["cells"][1]["metadata"] = {}


def first_line_leaks(nb: dict[str, Any]) -> None:
    nb["cells"][1]["outputs"][0]["data"]["text/html"] = "weights 0.67\n<p>more</p>"


def heading_in_a_folded_output(nb: dict[str, Any]) -> None:
    nb["cells"][1]["outputs"][0]["data"]["text/html"] = f"{TITLE}\n<h2>So it is 0.67</h2>"


def told_in_the_text(nb: dict[str, Any]) -> None:
    nb["cells"][0]["source"] = f"# Steps of 0.25\n{FINDING}"


def in_an_attribute(nb: dict[str, Any]) -> None:
    unfolded(nb)
    html = f'{TITLE}\n<img alt="weights 0.67" src="data:image/png;base64,">'
    nb["cells"][1]["outputs"][0]["data"] = {"text/html": html}


LEAKS = [unfolded, first_line_leaks, heading_in_a_folded_output, told_in_the_text, in_an_attribute]


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What the notebook that keeps every rule must not show."""
    path = tmp_path_factory.mktemp("kept") / "kept.ipynb"
    path.write_text(as_text(KEPT), "utf-8")
    return hidden_values(path)


def open_notebook(lab: LabPage, nb: dict[str, Any], name: str) -> None:
    (lab.server.root / f"{name}.ipynb").write_text(as_text(nb), "utf-8")
    lab.open(f"{name}.ipynb")
    lab.idle()


def test_what_is_hidden_is_what_only_the_folded_output_holds(hidden):
    assert hidden == {"0.67", FINDING}


def test_a_number_is_found_only_as_a_whole(hidden):
    assert found(hidden, "10.67 0.675 0.67px v0.67 0.67.1") == set()
    assert found(hidden, "it is 0.67.") == {"0.67"}


@pytest.mark.parametrize("edition", [deepcopy, learner_copy])
def test_a_notebook_that_keeps_the_rules_gives_nothing_away(lab, hidden, edition):
    open_notebook(lab, edition(KEPT), edition.__name__)
    assert given_away(lab, hidden) == set()


@pytest.mark.parametrize("leak", LEAKS)
def test_each_leak_is_seen(lab, hidden, leak):
    broken = deepcopy(KEPT)
    leak(broken)
    open_notebook(lab, broken, leak.__name__)
    assert given_away(lab, hidden) != set()

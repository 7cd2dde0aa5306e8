"""The summary of a notebook waits for its predictions; extras may stay open."""

from dataclasses import replace

import pytest

from attn_lab.course.questions import Notebook
from attn_lab.predict import closing, summary
from attn_lab.predict.exercise import Exercise

from .conftest import CHOICE, NUMBERS, SHAPE

BOOK = Notebook(
    "05",
    "Mask",
    "What?",
    30,
    ("Row 1 is forced.", "Temperature < order."),
    (NUMBERS, replace(CHOICE, depth="core"), replace(SHAPE, depth="extra")),
)


@pytest.fixture(autouse=True)
def book(monkeypatch):
    monkeypatch.setattr(closing, "notebook", lambda number: BOOK)


def test_it_names_what_is_open_and_says_nothing_of_what_was_shown(shown):
    summary("05")
    lines = repr(shown[0]).split("\n")
    assert lines == [
        "What this notebook showed",
        "Still to do before the summary is shown:",
        "- 05/first-row: write a prediction",
        "- 01/minus-max: write a prediction",
    ]
    assert shown[0].html.split("\n")[0] == "What this notebook showed"
    assert "forced" not in shown[0].html and "split-shape" not in shown[0].html


def test_a_prediction_that_was_not_compared_is_still_open(shown):
    Exercise(NUMBERS).commit([1, 0, 0, 0], "guess")
    shown.clear()
    summary("05")
    assert "- 05/first-row: run the cell that compares it" in repr(shown[0])


def test_it_is_shown_once_all_but_the_extras_are_done(shown):
    for question, answer in ((NUMBERS, [1, 0, 0, 0]), (CHOICE, "same")):
        Exercise(question).commit(answer, "guess")
        Exercise(question).reveal(answer)
    shown.clear()
    summary("05")
    assert repr(shown[0]) == (
        "What this notebook showed\n- Row 1 is forced.\n- Temperature < order."
    )
    assert "<li>Temperature &lt; order.</li>" in shown[0].html
    assert "<h" not in shown[0].html


def test_always_shows_it(shown, always):
    summary("05")
    assert "- Row 1 is forced." in repr(shown[0])

"""Which option is right cannot be guessed from where it stands, how long it is or how it is put.

The right options are read from the stored results of the reference edition, which nbval holds
against a fresh computation. They are marked nowhere in the data.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from attn_lab.course.editions import text_of
from attn_lab.course.questions import Question, questions

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
MOST = 0.4
# A thought that is right and answers another question stands for no misconception.
DEFENSIBLE = {("08/which-moves-most", "needs-projection")}


def stored_results() -> dict[str, str]:
    """The first output of every cell that reveals a prediction, as text, by question id."""
    found = {}
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        known = {question.variable: question.id for question in questions(path.name[:2])}
        for cell in cells:
            source = text_of(cell["source"])
            shown = re.search(r"^(\w+)\.reveal\(", source, re.MULTILINE)
            if cell["cell_type"] == "code" and shown and shown[1] in known:
                found[known[shown[1]]] = text_of(cell["outputs"][0]["data"]["text/plain"])
    return found


def chosen(question: Question, text: str) -> str:
    """The key of the option that a result names in its table, between title and explanation."""
    table = text.split("\n\n")[1]
    entries = [entry for line in table.splitlines() for entry in re.split(r" {2,}", line)]
    named = [option for option in question.options if option.text in entries]
    assert len(named) == 1, (question.id, table)
    return named[0].key


def positions(asked: list[Question], right: dict[str, str]) -> Counter:
    return Counter([o.key for o in q.options].index(right[q.id]) + 1 for q in asked)


def standing_out(asked: list[Question], right: dict[str, str], end: Callable[..., int]) -> int:
    """How often the right option is the longest one (end=max) or the shortest (end=min)."""
    lengths = [({o.key: len(o.text) for o in q.options}, right[q.id]) for q in asked]
    return sum(each[key] == end(each.values()) for each, key in lengths)


RESULTS = stored_results()
CHOICES = [q for q in questions() if q.kind == "choice" and q.id in RESULTS]
RIGHT = {question.id: chosen(question, RESULTS[question.id]) for question in CHOICES}


def test_every_question_of_a_notebook_is_revealed_in_it():
    written = {path.name[:2] for path in NOTEBOOKS.glob("*.ipynb")}
    assert {q.id for q in questions() if q.notebook in written} == set(RESULTS)


@pytest.mark.parametrize("question", CHOICES, ids=lambda q: q.id)
def test_the_computed_option_stands_for_no_misconception_and_every_other_for_one(question):
    wrong = [o for o in question.options if o.key != RIGHT[question.id]]
    assert question.option(RIGHT[question.id]).misconception is None
    assert all(o.misconception or (question.id, o.key) in DEFENSIBLE for o in wrong)


def test_the_right_option_stands_mostly_in_no_one_place():
    counts = positions(CHOICES, RIGHT)
    assert max(counts.values()) <= MOST * len(CHOICES), counts


@pytest.mark.parametrize("end", [max, min], ids=["longest", "shortest"])
def test_the_right_option_is_mostly_neither_the_longest_nor_the_shortest(end):
    assert standing_out(CHOICES, RIGHT, end) <= MOST * len(CHOICES)


def test_a_reason_behind_a_colon_or_a_since_is_no_mark_of_the_wrong_options():
    reason = re.compile(r": |, since |, as |, because ")
    marked = [q.id for q in CHOICES for o in q.options if reason.search(o.text)]
    right = [q.id for q in CHOICES if reason.search(q.option(RIGHT[q.id]).text)]
    assert len(set(marked) - set(right)) <= MOST * len(CHOICES)


@pytest.mark.parametrize("question", CHOICES, ids=lambda q: q.id)
def test_every_option_has_a_sentence_of_the_same_form(question):
    assert all(o.sentence.startswith("Someone who picks this ") for o in question.options)


def test_the_counts_would_show_a_right_option_that_stands_out():
    always_first = {q.id: q.options[0].key for q in CHOICES}
    always_longest = {q.id: max(q.options, key=lambda o: len(o.text)).key for q in CHOICES}
    assert positions(CHOICES, always_first)[1] == len(CHOICES)
    always_shortest = {q.id: min(q.options, key=lambda o: len(o.text)).key for q in CHOICES}
    assert standing_out(CHOICES, always_longest, max) == len(CHOICES)
    assert standing_out(CHOICES, always_shortest, min) == len(CHOICES)

"""Which option is right cannot be guessed from where it stands, how long it is or how it is put.

The right options are those that `tests/notebooks/test_computed_answers.py` holds against what the
notebooks compute. They are marked nowhere in the data.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from attn_lab.course.kinds import Question
from attn_lab.course.questions import questions

OPTIONS = Path(__file__).parents[1] / "notebooks" / "right_options.toml"
MOST = 0.4
# A thought that is right and answers another question stands for no misconception.
DEFENSIBLE = {("08/which-moves-most", "needs-projection")}


def positions(asked: list[Question], right: dict[str, str]) -> Counter:
    return Counter([o.key for o in q.options].index(right[q.id]) + 1 for q in asked)


def standing_out(asked: list[Question], right: dict[str, str], end: Callable[..., int]) -> int:
    """How often the right option is the longest one (end=max) or the shortest (end=min)."""
    lengths = [({o.key: len(o.text) for o in q.options}, right[q.id]) for q in asked]
    return sum(each[key] == end(each.values()) for each, key in lengths)


CHOICES = [q for q in questions() if q.kind == "choice"]
RIGHT: dict[str, str] = tomllib.loads(OPTIONS.read_text("utf-8"))


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

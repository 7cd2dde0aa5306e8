"""The report names what was marked and says what a verdict means."""

import re
from pathlib import Path

import pytest

from attn_lab.commands.report_words import VERDICTS, in_words
from attn_lab.course.questions import question, questions
from attn_lab.predict import verdicts

CELLS = [each for each in questions() if each.kind == "cells"]


def test_marked_rows_of_one_column_are_named():
    asked = next(each for each in CELLS if len(each.columns) == 1)
    answer = [[1], *([0] for _ in asked.rows[1:-1]), [1]]
    assert in_words(answer, asked) == f"{asked.rows[0]}, {asked.rows[-1]}"


def test_marked_columns_of_one_row_are_named_and_no_mark_is_said():
    asked = next(each for each in CELLS if len(each.rows) == 1)
    rest = [0] * (len(asked.columns) - 2)
    assert in_words([[0, 1, *rest]], asked) == asked.columns[1]
    assert in_words([[0, 0, *rest]], asked) == "none marked"


def test_a_grid_is_told_row_by_row():
    asked = next(
        each for each in CELLS if each.rows == ("query 1", "query 2", "query 3", "query 4")
    )
    told = in_words([[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]], asked)
    assert told == "query 1: none; query 2: key 1, key 2; query 3: key 4; query 4: key 2"


def test_a_choice_is_shown_in_the_words_of_its_option():
    choice = next(each for each in questions() if each.kind == "choice")
    assert in_words(choice.options[-1].key, choice) == choice.options[-1].text


@pytest.mark.parametrize("answer", ["old words", [[1, 0]], [0.5, [1]], 3, None])
@pytest.mark.parametrize("asked", [*CELLS[:1], question("05/first-row")], ids=lambda each: each.id)
def test_an_answer_to_an_older_form_of_the_question_is_shown_as_it_was_stored(answer, asked):
    assert in_words(answer, asked) == in_words(answer)


def test_every_verdict_there_is_has_words():
    described = re.findall(r"^(\w+)  +\w", verdicts.__doc__, re.MULTILINE)
    given = re.findall(r'Verdict\("(\w+)"', Path(verdicts.__file__).read_text("utf-8"))
    assert set(VERDICTS) == set(described) >= set(given)

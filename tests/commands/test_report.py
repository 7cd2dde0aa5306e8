"""The report is the learner's own record, in the words of the questions."""

import pytest

from attn_lab import cli
from attn_lab.commands.report import VERDICTS, in_words
from attn_lab.course.kinds.comparison import OUTCOMES
from attn_lab.course.questions import question, questions
from attn_lab.record import Attempt, Reveal, TaskResult, open_store

CELLS = [each for each in questions() if each.kind == "cells"]


@pytest.fixture
def store(own_store):
    """An empty store of the test's own."""
    return open_store()


def report(capsys, *arguments: str) -> str:
    assert cli.main(["report", *arguments]) == 0
    return capsys.readouterr().out


def test_an_empty_record_says_where_it_would_be(store, capsys):
    text = report(capsys)
    assert str(store.path) in text
    assert "01 One row by hand: 0 of" in text


def test_an_attempt_is_shown_with_its_reason_and_what_stood_beside_it(store, capsys):
    kept = store.add(Attempt("05/first-row", [1, 0, 0, 0.25], "certain", because="one legal key"))
    store.add_reveal(Reveal("05/first-row", kept.id, [1.0, 0.0, 0.0, 0.0], "close"))
    store.say_afterwards(kept, "all of it")
    text = report(capsys)
    assert "05 Mask and temperature: 1 of" in text
    assert "05/first-row, round 1, " in text
    assert "    1, 0, 0, 0.25 (certain)" in text
    assert "because one legal key" in text
    assert "computed: 1, 0, 0, 0 (close: within what counts as the same)" in text
    assert "now you would say: all of it" in text
    assert "not yet: 05/" in text


def test_nothing_computed_is_shown_before_it_was_revealed(store, capsys):
    store.add(Attempt("05/first-row", [0, 0, 1, 0], "guess"))
    assert "computed:" not in report(capsys)


def test_an_attempt_made_after_the_result_says_so(store, capsys):
    first = store.add(Attempt("05/first-row", [0, 0, 1, 0], "guess"))
    store.add_reveal(Reveal("05/first-row", first.id, [1, 0, 0, 0], "different"))
    store.add(Attempt("05/first-row", [1, 0, 0, 0], "certain"))
    lines = report(capsys).splitlines()
    first_line, second_line = (line for line in lines if "05/first-row, round" in line)
    assert second_line.endswith(", after seeing the result")
    assert "after" not in first_line


def test_one_notebook_alone_can_be_asked_for(store, capsys):
    store.add(Attempt("05/first-row", [1, 0, 0, 0], "guess"))
    assert "05/first-row" not in report(capsys, "01")
    assert "05/first-row" in report(capsys, "05")


def test_an_exercise_that_the_course_no_longer_has_is_not_swallowed(store, capsys):
    store.add(Attempt("05/an-older-question", "unchanged", "guess"))
    store.add(Attempt("05/an-older-question", "changed", "guess", round=2))
    text = report(capsys)
    assert text.count("No longer in the course:") == 1
    assert "05/an-older-question, round 1" in text
    assert "an-older-question" not in report(capsys, "01")


def test_a_notebook_that_does_not_exist_is_said(store, capsys):
    assert cli.main(["report", "77"]) == 1
    assert "expected one of 00" in capsys.readouterr().err


def test_graded_tasks_are_part_of_the_report(store, capsys):
    store.add_task(TaskResult("04/causal-mask", False, message="row 1 reads key 2"))
    assert "Task 04/causal-mask" in report(capsys)
    assert "row 1 reads key 2" in report(capsys)


def test_a_task_is_told_by_its_tries_and_the_mistakes_met(store, capsys):
    for mistake in ("mask_of_the_blocked", "mask_of_the_blocked", ""):
        store.add_task(TaskResult("04/causal-mask", not mistake, mistake, "Make …: said before"))
    store.add_task(TaskResult("01/softmax-row", False, "", "Make 01/softmax-row: not yet\n\nline"))
    text = report(capsys)
    assert "passed after 3 tries; met on the way: mask of the blocked" in text
    assert "said before" not in text
    assert "not passed yet after 1 try\n    line\n" in text
    assert "Tasks not tried yet: 03/attention, " in text
    assert "Task 01/" not in report(capsys, "04")


def test_tasks_that_were_never_tried_are_not_held_up(store, capsys):
    assert "Task" not in report(capsys)


def test_questions_come_in_the_order_of_the_notebook(store, capsys):
    ids = [each.id for each in questions("05")]
    for each in sorted(ids, reverse=True)[:4]:
        store.add(Attempt(each, "an answer", "guess"))
    told = [id for line in report(capsys, "05").splitlines() for id in ids if f"  {id}," in line]
    assert told == [id for id in ids if id in told] != sorted(told)


def test_a_store_that_cannot_be_found_is_one_line_with_the_variable(monkeypatch, capsys):
    monkeypatch.setenv("ATTN_LAB_STORE", "~nosuch/x")
    assert cli.main(["report"]) == 1
    assert capsys.readouterr().err.startswith("attn-lab report: ATTN_LAB_STORE needs a path")


@pytest.mark.parametrize("place", ["a-file/store.db", "a-file/below/store.db"])
def test_a_store_that_could_not_be_made_is_said_and_none_is_made(
    tmp_path, monkeypatch, capsys, place
):
    (tmp_path / "a-file").write_text("")
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / place))
    assert "they are saved in" in report(capsys) and "ATTN_LAB_STORE" in report(capsys)
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "new" / "store.db"))
    assert "they are saved in" not in report(capsys)
    assert [each.name for each in tmp_path.iterdir()] == ["a-file"]


def test_a_notebooks_number_may_be_given_without_its_zero(store, capsys):
    store.add(Attempt("05/first-row", [1, 0, 0, 0], "guess"))
    assert report(capsys, "5") == report(capsys, "05")


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
    assert set(VERDICTS) == set(OUTCOMES)

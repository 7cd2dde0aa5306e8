"""Questions are found by id, each file is read once and only when asked for."""

import pytest

from attn_lab.course import questions as course

BOOK = """
[notebook]
title = "One row"
question = "What is a weight?"
minutes = 30
summary = ["One."]
[[question]]
id = "{number}/zero-score"
kind = "shape"
prompt = "Shape?"
depth = "core"
statements = ["S4"]
minutes = 3
explanation = "So."
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(course, "FOLDER", tmp_path)
    for number in ("01", "07"):
        (tmp_path / f"{number}.toml").write_text(BOOK.format(number=number), encoding="utf-8")
    course.notebook.cache_clear()
    yield tmp_path
    course.notebook.cache_clear()


def test_a_question_is_found_by_its_id(folder):
    found = course.question("07/zero-score")
    assert (found.id, found.notebook, found.variable) == ("07/zero-score", "07", "zero_score")


def test_all_questions_come_in_the_order_of_the_notebooks(folder):
    assert [each.id for each in course.questions()] == ["01/zero-score", "07/zero-score"]
    assert [each.id for each in course.questions("07")] == ["07/zero-score"]


def test_a_malformed_notebook_does_not_stop_the_others(folder):
    (folder / "01.toml").write_text("[notebook", encoding="utf-8")
    assert course.question("07/zero-score").id == "07/zero-score"
    with pytest.raises(ValueError, match=r"01\.toml"):
        course.question("01/zero-score")


def test_a_file_is_read_once(folder):
    first = course.question("01/zero-score")
    (folder / "01.toml").write_text("[notebook", encoding="utf-8")
    assert course.question("01/zero-score") is first


@pytest.mark.parametrize("id", ["first-row", "99/zero-score", "01/", "01", 1])
def test_an_id_without_a_notebook_says_how_ids_look(folder, id):
    with pytest.raises(ValueError, match=r'"05/first-row"; got .*01, 07'):
        course.question(id)


def test_an_unknown_name_lists_what_the_notebook_has(folder):
    with pytest.raises(ValueError, match=r"'01/zero_score' is not in 01\.toml.*01/zero-score"):
        course.question("01/zero_score")


def test_an_unknown_notebook_lists_the_known_ones(folder):
    with pytest.raises(ValueError, match="one of 01, 07; got '03'"):
        course.notebook("03")

"""The tasks are data that is read field by field, and belong to notebooks that exist."""

import pytest

from attn_lab.course.questions import notebook_numbers
from attn_lab.course.tasks import read_tasks, task, tasks

GOOD = """
[[task]]
id = "04/causal-mask"
grader = "causal_mask"
title = "Who may look where"
depth = "core"
asks = "a mask."
after = "Why?"
hints = ["one", "two", "three"]
"""


def read(tmp_path, text):
    file = tmp_path / "tasks.toml"
    file.write_text(text, encoding="utf-8")
    return read_tasks(file)


def test_a_task_is_read_whole(tmp_path):
    one = read(tmp_path, GOOD)["04/causal-mask"]
    assert (one.grader, one.depth, one.hints) == ("causal_mask", "core", ("one", "two", "three"))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"04/causal-mask"', '"causal-mask"', "task 1, field 'id'"),
        ('"core"', '"class"', "04/causal-mask, field 'depth': expected one of core, extra"),
        (', "three"', "", "04/causal-mask, field 'hints': expected 3 hints"),
        ('after = "Why?"', "", "04/causal-mask, field 'after': missing"),
        ("title", "titel", "04/causal-mask, field 'title': missing"),
        ('title = "Who', 'also = 1\ntitle = "Who', "field 'also': expected only the fields after"),
        ("[[task]]", "x = 1\n[[task]]", "tasks.toml, field 'x'"),
    ],
)
def test_what_is_malformed_is_named(tmp_path, old, new, said):
    with pytest.raises(ValueError, match=r"tasks\.toml") as refused:
        read(tmp_path, GOOD.replace(old, new))
    assert said in str(refused.value)


def test_a_task_or_a_grader_named_twice_is_refused(tmp_path):
    with pytest.raises(ValueError, match="ids and graders are used once"):
        read(tmp_path, GOOD + GOOD)


def test_the_courses_tasks_stand_in_the_order_of_its_notebooks():
    numbers = [id[:2] for id in tasks()]
    assert numbers == sorted(numbers)
    assert set(numbers) <= set(notebook_numbers())
    assert {"01", "03", "04", "06", "07", "09"} == set(numbers)


def test_each_task_ends_in_a_question_for_those_who_passed():
    assert all(each.after.endswith("?") for each in tasks().values())


def test_an_unknown_task_lists_those_there_are():
    with pytest.raises(ValueError, match=r"expected one of 01/softmax-row, .*; got '01/other'"):
        task("01/other")

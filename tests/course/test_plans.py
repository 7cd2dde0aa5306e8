"""A plan is a queue of what a class does, with its minutes, and what may be left out of it."""

import pytest

from attn_lab.commands.handout.run_sheets import plan_minutes
from attn_lab.course.plans import guide, plans, queue
from attn_lab.course.questions import question, questions
from attn_lab.course.teaching import PLANS, teaching


def test_there_are_three_plans_and_one_for_each_notebook():
    assert list(plans())[:4] == ["60", "90", "180", "00"]
    assert plans()["04"] == "04 The causal boundary"


def test_the_plan_of_an_hour_is_these_steps():
    items = queue("60")
    assert [(item.title, item.minutes) for item in items] == [
        ("arrival", 8),
        ("00/one-word-changes", 3),
        ("01/zero-score", 6),  # its own five, and one for the new notebook
        ("04/ripple", 8),
        ("04/late-zero", 10),
        ("05/first-row", 5),
        ("05/can-key-3-lead", 4),
        ("explorer of 05", 5),
        ("close", 5),
    ]
    assert not any(item.cut for item in items)  # no plan is shorter


@pytest.mark.parametrize("plan", PLANS)
def test_a_queue_takes_as_long_as_its_plan(plan):
    whole = sum(plan_minutes(row, plan) for row in teaching().plan)
    assert sum(item.minutes for item in queue(str(plan))) == whole


def test_a_class_that_is_late_leaves_out_what_a_shorter_plan_does_without():
    cut = [item.title for item in queue("90") if item.cut]
    assert cut == ["01/louder-value", "03/three-shifts", "05/mask-off", "show 08/asked-removed"]
    assert "break" not in [item.title for item in queue("180") if item.cut]


def test_a_notebooks_plan_is_its_run_sheet_and_cuts_what_that_says():
    items = queue("04")
    assert [item.title for item in items if item.cut] == ["04/flat-row", "04/triu-0"]
    assert [item.title for item in items][-3:] == ["04/triu-0", "04/bank-masked", "close"]
    assert [item.do for item in items][:3] == ["solo", "solo", "discuss"]


def test_a_plan_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(ValueError, match=r"plan: expected one of 60, 90, 180, 00.*got '45'"):
        queue("45")


@pytest.mark.parametrize("each", questions(), ids=lambda each: each.id)
def test_every_question_has_a_guide(each):
    said = guide(each)
    assert all(words and why for words, why in said.expect)


def test_a_guide_holds_what_the_run_sheet_says():
    said = guide(question("04/ripple"))
    assert said.hint.startswith("Put a finger on the row")
    assert said.ask_next == "Point at the row that reads position 4."
    assert ("columns exchanged", "the future flows back") in said.expect

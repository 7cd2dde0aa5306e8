"""The room keeps its plan, its place in it and the instructor's notes, also after a restart."""

import pytest

from attn_lab.classroom.server.agenda import LONGEST_NOTE, guides
from attn_lab.classroom.server.events import desk, stage
from attn_lab.classroom.server.room import Room
from attn_lab.course.questions import questions
from attn_lab.course.reference import computed_answers


@pytest.fixture
def room(room):
    """The room with the whole course, and what the reference edition computed."""
    course = {question.id: question for question in questions()}
    return Room(room.database, course, right=computed_answers())


def _again(room):
    return Room(room.database, room.course)


def test_a_plan_goes_on_with_the_questions_that_are_asked(room):
    room.plan("90")
    assert (room.agenda.at, room.agenda.began) == (0, 0)
    room.move("first", "01/zero-score")
    assert room.agenda.at == 2
    began = room.agenda.began
    assert began > 0  # the first step starts the clock
    room.move("shown")
    room.move("first", "09/rescale")  # not in the plan
    assert (room.agenda.at, room.agenda.began) == (2, began)
    room.step(7)
    assert (room.agenda.at, room.agenda.began) == (7, began)
    room.begin()
    assert room.agenda.began > began
    assert _again(room).agenda == room.agenda


def test_a_plan_or_a_place_that_does_not_exist_is_refused_and_changes_nothing(room):
    for say in (lambda: room.plan("45"), lambda: room.step(0)):
        with pytest.raises(ValueError, match="expected"):
            say()
    room.plan("60")
    for place in (-1, 9):
        with pytest.raises(ValueError, match="below 9"):
            room.step(place)
    assert room.agenda.at == 0
    room.plan("")
    assert room.agenda.plan == ""


def test_notes_are_kept_with_their_exercise_and_reach_the_desk_alone(room):
    room.note("04/ripple", "Ask the back row first.")
    room.note("04/legal", "x" * 2 * LONGEST_NOTE)
    room.move("first", "04/ripple")
    assert desk(room.view())["notes"]["04/ripple"] == "Ask the back row first."
    assert len(_again(room).notes["04/legal"]) == LONGEST_NOTE
    assert "notes" not in stage(room.view())
    assert "agenda" not in stage(room.view())
    with pytest.raises(ValueError, match="expected one of the course's"):
        room.note("99/x", "")


def test_the_desk_is_given_every_plan_and_what_to_say_at_every_question(room):
    told = guides(room)
    assert [one["plan"] for one in told["plans"]][:4] == ["60", "90", "180", "00"]
    assert told["plans"][0]["items"][3]["question"] == "04/ripple"
    assert set(told["guides"]) == set(room.course)
    assert all(guide["right"] for guide in told["guides"].values())
    assert told["guides"]["05/first-row"]["right"].startswith("1, 0, 0, 0")


def test_without_the_reference_edition_no_right_answer_is_said(room):
    assert guides(_again(room))["guides"]["05/first-row"]["right"] == ""

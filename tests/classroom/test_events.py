"""The stage sees counts alone, the desk the spread; both are told soon what has changed."""

import json
import time

import pytest
from msgspec.structs import replace

from attn_lab.classroom.count.tally import SHARE_FROM, TOO_FEW, WHO_IS_TOLD
from attn_lab.classroom.server.events import desk, stage
from attn_lab.classroom.server.room import Room
from attn_lab.classroom.wire import DATABASE_AWAY


def test_the_stage_shows_no_answer_before_the_rounds_are_shown(room, fill):
    room.move("first", "04/ripple")
    fill()
    for phase in ("first", "discuss", "second"):
        room.move(phase)
        said = stage(room.view())
        assert said["answered"] == (5, 0)
        assert "spread" not in said
        assert said["question"]["options"] == ("Row 4 alone", "Every row", "Column 4")
        assert "future-flows-back" not in json.dumps(said)  # what is asked, and nothing of why
    room.move("shown")
    assert {"label": "Every row", "counts": (5, 0)} in stage(room.view())["spread"]["bars"]


def test_the_desk_sees_the_spread_at_once_with_advice(room, fill):
    room.move("first", "04/ripple")
    fill()
    said = desk(room.view())
    assert said["spread"]["bars"][1]["misconception"] == "future-flows-back"
    assert (said["computed"], said["share"], said["advice"][:9]) == ("row-4", 0, "Mostly an")
    assert said["ask_next"] == "What is in the denominator?"
    assert said["joined"] == 5
    listed = [(one["id"], one["discuss"], one["answered"]) for one in said["exercises"]]
    assert listed[:2] == [("04/ripple", True, 5), ("05/first-row", False, 0)]


@pytest.mark.parametrize("phase", ["first", "discuss", "second", "shown"])
def test_the_stage_never_tells_by_itself_which_answer_was_computed(room, fill, phase):
    room.move("first", "04/ripple")
    fill()
    fill(answer="row-4", start=5)
    room.mark("04/ripple", "row-4")
    room.move(phase)
    said = stage(room.view())
    assert "row-4" not in json.dumps(said)
    assert not said["told"]
    assert not any("computed" in bar for bar in said.get("spread", {}).get("bars", ()))
    if phase == "shown":
        room.tell(True)
        marked = [bar["label"] for bar in stage(room.view())["spread"]["bars"] if "computed" in bar]
        assert marked == ["Row 4 alone"]
    else:
        with pytest.raises(ValueError, match="Press 4"):
            room.tell(True)


def test_a_corrected_slip_leaves_the_room_in_its_first_vote(room, commit):
    room.move("first", "04/ripple")
    for n in range(40):
        commit(n, "row-4" if n < 30 else "all")
    commit(39, "column", round=2)  # the learner's own second commit, in the room's first vote
    for phase in ("first", "discuss", "shown"):
        if phase != "first":
            room.move(phase)
        said = desk(room.view())
        assert (said["answered"], said["share"]) == ((40, 0), 0.75), phase
        assert "Second vote" not in said["advice"]
        assert stage(room.view())["answered"] == (40, 0)


def test_a_second_vote_counts_who_never_voted_before(room, commit):
    room.move("first", "04/ripple")
    commit(1, "all")
    room.move("second")
    commit(1, "row-4", round=2)
    commit(2, "row-4", round=1)
    assert desk(room.view())["answered"] == (1, 2)
    assert "Second vote" in desk(room.view())["advice"]


def test_an_answer_of_somebodys_own_pace_counts_as_the_first(room, commit):
    commit(1, "all")
    commit(1, "row-4", round=2)
    room.move("first", "04/ripple")
    assert desk(room.view())["answered"] == (1, 0)
    commit(1, "all", round=3)
    assert desk(room.view())["answered"] == (1, 0)
    assert room.view().tally.sizes[0] == {"all": 1}


@pytest.mark.parametrize("how", ["close", "discuss", "shown"])
def test_what_comes_after_a_vote_was_closed_is_late_and_said(room, commit, how):
    room.move("first", "04/ripple")
    commit(1, "all")
    room.close() if how == "close" else room.move(how)
    assert commit(2, "row-4") == "late"
    assert commit(1, "row-4", round=2) == "late"
    said = desk(room.view())
    assert (said["closed"], said["answered"], said["late"]) == (True, (1, 0), 2)
    room.move("second")
    assert commit(2, "row-4", round=2) == "saved"
    assert (desk(room.view())["closed"], desk(room.view())["answered"]) == (False, (1, 1))


def test_a_question_that_the_room_left_with_its_vote_open_goes_on_taking_votes(room, commit):
    room.move("first", "04/ripple")
    room.move("first", "05/first-row")  # perhaps the first was pressed by mistake
    assert commit(1, "all") == "saved"
    room.move("first", "04/ripple")
    assert desk(room.view())["answered"] == (1, 0)


@pytest.mark.parametrize("right", [0, 1, 2, 3, 11, 12])
def test_few_who_are_right_have_a_share_and_the_advice_that_follows(room, commit, right):
    room.move("first", "04/ripple")
    for n in range(40):
        commit(n, "row-4" if n < right else "all")
    said = desk(room.view())
    assert said["share"] == right / 40
    assert said["advice"].startswith("Mostly another" if right < 12 else "Between")
    assert said["rule"] == WHO_IS_TOLD


def test_in_a_very_small_room_the_desk_says_from_when_on_a_share_is_said(room, commit):
    room.move("first", "04/ripple")
    for n in range(SHARE_FROM - 1):
        commit(n, "all")
    assert (desk(room.view())["share"], desk(room.view())["advice"]) == (None, TOO_FEW)
    commit(SHARE_FROM, "all")
    assert desk(room.view())["share"] == 0


def test_a_computed_answer_without_a_bar_is_marked_as_none_of_these(room, commit):
    room.move("first", "05/first-row")
    for n in range(40):
        answer = [1, 0, 0, 0] if n < 2 else [0.266, 0, 0, 0]
        commit(n, answer, exercise="05/first-row")
    [bar] = desk(room.view())["spread"]["bars"]
    assert bar["label"] == "0.266, 0, 0, 0"
    room.mark("05/first-row", desk(room.view())["not_shown"])
    assert desk(room.view())["share"] == pytest.approx(0.05)
    room.move("first", "04/ripple")
    assert desk(room.view())["not_shown"] is None  # all options of a choice have a bar


@pytest.mark.parametrize(
    ("exercise", "right", "wrong"),
    [
        ("04/ripple", "row-4", "all"),
        ("05/first-row", [1, 0, 0, 0], [0.5, 0.5, 0, 0]),
        ("04/legal", [[1, 0], [1, 1]], [[1, 1], [1, 1]]),
        ("07/split", [8, 4, 64], [4, 4]),
    ],
)
def test_a_bar_of_every_kind_is_marked_as_the_computed_answer(room, commit, exercise, right, wrong):
    room.move("first", exercise)
    for n in range(10):
        commit(n, right if n < 4 else wrong, exercise=exercise)
    bars = desk(room.view())["spread"]["bars"]
    room.mark(exercise, next(bar["key"] for bar in bars if bar["counts"][0] == 4))
    said = desk(room.view())
    assert said["share"] == 0.4
    assert said["computed"] in [bar["key"] for bar in said["spread"]["bars"]]


def test_a_mark_stays_with_its_answer_when_others_near_it_become_more_frequent(room, commit):
    room.move("first", "05/first-row")
    for n in range(5):
        commit(n, [1, 0, 0, 0], exercise="05/first-row")
    room.mark("05/first-row", desk(room.view())["spread"]["bars"][0]["key"])
    for n in range(5, 20):
        commit(n, [0.994, 0, 0, 0], exercise="05/first-row")
    said = desk(room.view())
    assert (said["share"], len(said["spread"]["bars"])) == (1, 1)


def test_a_marked_bar_is_the_computed_one_until_it_is_unmarked(room, fill):
    room.move("first", "05/first-row")
    fill(answer=[1, 0, 0, 0], exercise="05/first-row")
    assert desk(room.view())["share"] is None
    room.mark("05/first-row", desk(room.view())["spread"]["bars"][0]["key"])
    assert desk(room.view())["share"] == 1
    room.mark("05/first-row", None)
    assert desk(room.view())["share"] is None


def test_the_desk_asks_for_the_computed_answer_where_the_rule_needs_it(room, fill):
    room.move("first", "04/legal")
    fill(answer=[[1, 0], [1, 1]], exercise="04/legal")
    assert desk(room.view())["advice"].startswith("Solo")  # no second vote, whatever the share
    assert desk(room.view())["groups"][0]["label"] == "as computed"
    course = room.course | {"04/legal": replace(room.course["04/legal"], discuss=True)}
    assert desk(Room(room.database, course).view())["advice"].startswith("Mark the bar")
    room.move("first", "04/ripple")
    assert (desk(room.view())["advice"], desk(room.view())["groups"][0]["label"]) == (
        "",
        "Row 4 alone",
    )


def test_a_meaning_is_not_said_twice_where_the_idea_has_the_same_words(room, fill):
    room.move("first", "05/first-row")
    fill(answer=[0.266, 0.266, 0.266, 0.202], exercise="05/first-row")
    [bar] = desk(room.view())["spread"]["bars"]
    assert (bar["meaning"], bar["idea"]) == ("", "the mask forgotten")
    room.move("first", "04/legal")
    fill(answer=[[0, 0], [1, 0]], exercise="04/legal")
    [bar] = desk(room.view())["spread"]["bars"]
    assert (bar["meaning"], bar["idea"]) == ("not itself", "may not read itself")


def _secret(n):
    return f"{n:032x}"


def test_a_page_sees_an_answer_soon_after_it_was_saved(served, answer):
    headers = served.enter()
    served.lead("POST", "/control", {"do": "move", "to": "first", "exercise": "04/ripple"}, headers)
    connection, states = served.stream("stage", headers)
    assert next(states)["answered"] == [0, 0]
    for n in range(3):
        served.learn(answer(n), secret=_secret(n))
    state = next(s for s in states if s["answered"] == [3, 0])
    assert "spread" not in state
    served.lead("POST", "/control", {"do": "move", "to": "shown"}, headers)
    state = next(s for s in states if "spread" in s)
    assert {"label": "Every row", "counts": [3, 0]} in state["spread"]["bars"]
    connection.close()


def test_a_page_that_goes_away_is_forgotten(served):
    streams = served.server.instructor.request_callback.settings["streams"]
    connection, states = served.stream("desk", served.enter())
    next(states)
    assert len(streams) == 1
    connection.close()
    deadline = time.monotonic() + 10
    while streams and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not streams


def test_a_page_is_told_when_the_database_cannot_be_read_and_when_it_can(served, monkeypatch):
    from sqlalchemy.exc import OperationalError

    def away(*_):
        raise OperationalError("SELECT", {}, Exception("away"))

    headers, joined = served.enter(), served.server.room.database.joined
    monkeypatch.setattr(served.server.room.database, "joined", away)
    connection, states = served.stream("desk", headers)
    assert next(states) == {"trouble": DATABASE_AWAY.said}
    monkeypatch.setattr(served.server.room.database, "joined", joined)
    assert next(states)["phase"] == "waiting"
    connection.close()

"""The stage sees counts alone, the desk the spread; both are told soon what has changed."""

import json
import time

from msgspec.structs import replace

from attn_lab.classroom.server.events import desk, stage
from attn_lab.classroom.wire import DATABASE_AWAY


def test_the_stage_shows_no_answer_before_the_rounds_are_shown(room, fill):
    room.move("first", "04/ripple")
    fill()
    for phase in ("first", "discuss", "second"):
        room.move(phase)
        said = stage(room)
        assert said["answered"] == (5, 0)
        assert "spread" not in said
        assert "Every row" not in json.dumps(said)
    room.move("shown")
    assert {"label": "Every row", "counts": (5, 0)} in stage(room)["spread"]["bars"]


def test_the_desk_sees_the_spread_at_once_with_advice(room, fill):
    room.move("first", "04/ripple")
    fill()
    said = desk(room)
    assert said["spread"]["bars"][1]["misconception"] == "future-flows-back"
    assert (said["computed"], said["share"], said["advice"][:9]) == ("row-4", 0, "Mostly an")
    assert said["ask_next"] == "What is in the denominator?"
    assert said["joined"] == 5
    listed = [(one["id"], one["discuss"], one["answered"]) for one in said["exercises"]]
    assert listed[:2] == [("04/ripple", True, 5), ("05/first-row", False, 0)]


def test_a_hasty_second_answer_makes_no_second_vote(room, fill):
    room.move("first", "04/ripple")
    fill(answer="row-4")
    fill(1, answer="all", round=2)
    assert desk(room)["share"] == 1 and "Second vote" not in desk(room)["advice"]
    room.move("second")
    assert "Second vote" in desk(room)["advice"]


def test_a_marked_bar_is_the_computed_one_until_it_is_unmarked(room, fill):
    room.move("first", "05/first-row")
    fill(answer=[1, 0, 0, 0], exercise="05/first-row")
    assert desk(room)["share"] is None
    room.mark("05/first-row", desk(room)["spread"]["bars"][0]["key"])
    assert desk(room)["share"] == 1
    room.mark("05/first-row", None)
    assert desk(room)["share"] is None


def test_the_desk_asks_for_the_computed_answer_where_the_rule_needs_it(room, fill):
    room.move("first", "04/legal")
    fill(answer=[[1, 0], [1, 1]], exercise="04/legal")
    assert desk(room)["advice"].startswith("Solo")  # no second vote, whatever the share
    assert desk(room)["groups"][0]["label"] == "as computed"
    room.course = room.course | {"04/legal": replace(room.course["04/legal"], discuss=True)}
    assert desk(room)["advice"].startswith("Mark the bar")
    room.move("first", "04/ripple")
    assert (desk(room)["advice"], desk(room)["groups"][0]["label"]) == ("", "Row 4 alone")


def test_a_meaning_is_not_said_twice_where_the_idea_has_the_same_words(room, fill):
    room.move("first", "05/first-row")
    fill(answer=[0.266, 0.266, 0.266, 0.202], exercise="05/first-row")
    [bar] = desk(room)["spread"]["bars"]
    assert (bar["meaning"], bar["idea"]) == ("", "the mask forgotten")
    room.move("first", "04/legal")
    fill(answer=[[0, 0], [1, 0]], exercise="04/legal")
    [bar] = desk(room)["spread"]["bars"]
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

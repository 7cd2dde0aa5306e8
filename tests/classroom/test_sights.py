"""The stage sees counts until both rounds are shown; the desk sees the spread and its meaning."""

import json

from attn_lab.classroom.sights import desk, stage


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


def test_a_marked_bar_is_the_computed_one_until_it_is_unmarked(room, fill):
    room.move("first", "05/first-row")
    fill(answer=[1, 0, 0, 0], exercise="05/first-row")
    assert desk(room)["share"] is None
    room.mark("05/first-row", desk(room)["spread"]["bars"][0]["key"])
    assert desk(room)["share"] == 1
    room.mark("05/first-row", None)
    assert desk(room)["share"] is None

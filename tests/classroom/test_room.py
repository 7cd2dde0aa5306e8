"""A room keeps answers, codes, hands and state, and a restart forgets nothing."""

import pytest
from sqlalchemy.exc import OperationalError

from attn_lab.classroom.database import ClassDatabase
from attn_lab.classroom.room import Room
from attn_lab.classroom.sights import desk
from attn_lab.course.response_codes import encode


def test_a_pasted_chat_replaces_the_last_one_and_is_not_kept(room, ripple, tmp_path):
    codes = [encode(ripple, "all", "guess", 1, noise=str(n)) for n in range(4)]
    bad = codes[0][:-1] + ("2" if codes[0][-1] != "2" else "3")
    assert room.paste(f"Ann: {codes[0]} Bo: {bad}") == {"read": 1, "unreadable": 1}
    assert room.paste("\n".join(f"Ann: {code}" for code in codes))["read"] == 4
    assert room.tally("04/ripple").sources[0]["codes"] == 4
    assert b"Ann" not in (tmp_path / "class.sqlite").read_bytes()


def test_a_restarted_room_goes_on(room, ripple, course, tmp_path):
    room.move("second", "04/ripple")
    room.paste(encode(ripple, "all", "guess", 1, noise="a"))
    room.raise_hands("04/ripple", 1, {"all": 7})
    room.mark("05/first-row", "=AB")
    room.database.engine.dispose()
    again = Room(ClassDatabase(f"sqlite:///{tmp_path}/class.sqlite"), course)
    for name in ("state", "code", "salt", "codes", "hands", "computed"):
        assert getattr(again, name) == getattr(room, name), name
    again.database.engine.dispose()


def test_what_cannot_be_written_is_said_until_it_can(room, fill, monkeypatch):
    real = room.database.save

    def full(*_, **__):
        raise OperationalError("INSERT", {}, Exception("full"))

    monkeypatch.setattr(room.database, "save", full)
    with pytest.raises(OperationalError):
        fill(1)
    assert "cannot be written" in desk(room)["trouble"]
    monkeypatch.setattr(room.database, "save", real)
    fill(1)
    assert desk(room)["trouble"] == ""


def test_hands_and_marks_for_what_does_not_exist_are_refused(room):
    for exercise, round in [("99/x", 1), ("04/ripple", 3)]:
        with pytest.raises(ValueError, match="exercise and round"):
            room.raise_hands(exercise, round, {})
    with pytest.raises(ValueError, match="exercise and key"):
        room.mark("99/x", None)

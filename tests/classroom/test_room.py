"""A room moves between its phases, keeps what it was given, and a restart forgets nothing."""

import pytest
from sqlalchemy.exc import OperationalError

from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.events import desk
from attn_lab.classroom.server.room import Room, State, step
from attn_lab.course.codes import encode


def test_a_pasted_chat_adds_its_new_codes_and_is_not_kept(room, ripple, tmp_path):
    codes = [encode(ripple, "all", "guess", 1, noise=str(n)) for n in range(4)]
    bad = codes[0][:-1] + ("2" if codes[0][-1] != "2" else "3")
    room.move("first", "04/ripple")
    told = {"read": 1, "new": 1, "unreadable": 1, "left_out": 0}
    assert room.paste(f"Ann: {codes[0]}\nBo: {bad}") == told
    names = ("Ann", "Bo", "Cy", "Di")
    chat = [f"{name}: {code}" for name, code in zip(names, codes, strict=True)]
    assert [room.paste("\n".join(part))["new"] for part in (chat, chat[2:])] == [3, 0]
    assert room.view().tally.sources[0]["codes"] == 4
    assert b"Ann" not in (tmp_path / "class.sqlite").read_bytes()


def test_a_restarted_room_goes_on(room, ripple, course, tmp_path):
    room.move("second", "04/ripple")
    room.paste(encode(ripple, "all", "guess", 1, noise="a"))
    room.raise_hands("04/ripple", 1, {"all": 7})
    room.mark("05/first-row", "=AB")
    room.database.engine.dispose()
    again = Room(ClassDatabase(f"sqlite:///{tmp_path}/class.sqlite"), course)
    for name in ("state", "votes", "code", "salt", "hands", "computed"):
        assert getattr(again, name) == getattr(room, name), name
    assert again.chat.codes == room.chat.codes
    again.database.engine.dispose()


def test_what_cannot_be_written_is_said_until_it_can(room, fill, monkeypatch):
    real = room.database.save

    def full(*_, **__):
        raise OperationalError("INSERT", {}, Exception("full"))

    monkeypatch.setattr(room.database, "save", full)
    with pytest.raises(OperationalError):
        fill(1)
    assert "cannot be written" in desk(room.view())["trouble"]
    monkeypatch.setattr(room.database, "save", real)
    fill(1)
    assert desk(room.view())["trouble"] == ""


def test_hands_and_marks_for_what_does_not_exist_are_refused(room):
    for exercise, round in [("99/x", 1), ("04/ripple", 3)]:
        with pytest.raises(ValueError, match="exercise and round"):
            room.raise_hands(exercise, round, {})
    with pytest.raises(ValueError, match="exercise and key"):
        room.mark("99/x", None)


KNOWN = {"04/ripple", "05/first-row"}


def test_an_exercise_is_opened_discussed_voted_again_and_shown():
    state = step(State(), "first", "04/ripple", KNOWN)
    for phase in ("discuss", "second", "shown"):
        state = step(state, phase, None, KNOWN)
        assert (state.phase, state.exercise) == (phase, "04/ripple")


def test_the_clock_starts_again_with_each_phase():
    state = State("first", "04/ripple", since=5.0)
    assert step(state, "second", None, KNOWN).since > 5.0


def test_waiting_shows_no_exercise():
    assert step(State("shown", "04/ripple"), "waiting", None, KNOWN).exercise is None


@pytest.mark.parametrize(
    ("to", "exercise"), [("first", None), ("first", "99/x"), ("third", "04/ripple")]
)
def test_what_does_not_exist_is_refused(to, exercise):
    with pytest.raises(ValueError, match=r"expected one of|has no"):
        step(State(), to, exercise, KNOWN)

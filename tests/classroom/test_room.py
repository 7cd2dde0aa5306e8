"""A room moves between its phases, keeps what it was given, and a restart forgets nothing."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.database_troubles import READ_ONLY
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


def _may_write(room, yes):
    with room.database.engine.connect() as connection:
        connection.execute(text(f"PRAGMA query_only = {'OFF' if yes else 'ON'}"))


def test_what_cannot_be_written_is_said_until_it_can(room, fill):
    _may_write(room, False)
    with pytest.raises(OperationalError):
        fill(1)
    assert desk(room.view())["trouble"] == f"Answers cannot be written: {READ_ONLY}."
    _may_write(room, True)
    fill(1)
    assert desk(room.view())["trouble"] == ""


WORDS = {
    "move": lambda room: room.move("second", "04/ripple"),
    "tell": lambda room: room.tell(True),
    "hands": lambda room: room.raise_hands("04/ripple", 1, {"all": 7}),
    "mark": lambda room: room.mark("04/ripple", "all"),
    "hide": lambda room: room.hide("04/ripple", "all", True),
    "note": lambda room: room.note("04/ripple", "mine"),
    "begin": lambda room: room.begin(),
}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_could_not_be_kept_is_not_gone_by(room, word):
    room.move("shown", "04/ripple")
    names = ("state", "votes", "opened", "hands", "computed", "hidden", "notes", "agenda")
    before = {name: getattr(room, name) for name in names}
    _may_write(room, False)
    with pytest.raises(OperationalError):
        WORDS[word](room)
    assert {name: getattr(room, name) for name in names} == before


STOP = """CREATE TRIGGER stop BEFORE UPDATE ON settings WHEN new.key = 'votes'
BEGIN SELECT raise(ABORT, 'killed'); END"""


def test_a_vote_is_opened_with_its_phase_or_not_at_all(room, course, tmp_path):
    """A server killed in the middle would take the answers of an open vote for late ones."""
    room.move("discuss", "04/ripple")
    with room.database.engine.begin() as connection:
        connection.execute(text(STOP))
    with pytest.raises(IntegrityError):
        room.move("second", "04/ripple")
    room.database.engine.dispose()
    again = Room(ClassDatabase(f"sqlite:///{tmp_path}/class.sqlite"), course)
    assert (again.state.phase, again.votes) == ("discuss", {"04/ripple": "late"})
    again.database.engine.dispose()


def test_a_chats_second_round_counts_once_the_second_vote_was_opened(room, ripple):
    codes = [encode(ripple, "all", "guess", 2, noise=str(n)) for n in range(3)]
    room.move("first", "04/ripple")
    room.paste(f"Ann: {codes[0]}")
    room.move("discuss", "04/ripple")
    room.paste(f"Bo: {codes[1]}")
    room.move("second", "04/ripple")
    room.move("shown", "04/ripple")
    room.paste(f"Cy: {codes[2]}")
    assert [sources["codes"] for sources in room.view().tally.sources] == [2, 1]


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

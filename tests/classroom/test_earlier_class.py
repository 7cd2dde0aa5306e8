"""A class that an earlier server wrote is read, counted and gone on with, answer by answer."""

import sqlite3
from pathlib import Path

import pytest

from attn_lab.classroom.count.csv_tables import TABLES
from attn_lab.classroom.count.moves import Idea, ideas
from attn_lab.classroom.server.events import desk
from tests.helpers.class_server import Served


@pytest.fixture
def earlier(tmp_path, course):
    connection = sqlite3.connect(tmp_path / "class.sqlite")
    connection.executescript(Path(__file__).with_name("earlier_class.sql").read_text("utf-8"))
    connection.close()
    running = Served(f"sqlite:///{tmp_path}/class.sqlite", course)
    yield running
    running.close()


def _on(served, look, *given):
    """What is seen of the room in the thread that may touch its database."""
    return served.do(served.server.work(look, served.server.room, *given))


def test_its_room_stands_where_it_stood(earlier):
    room = earlier.server.room
    assert (room.code, room.state.phase, room.state.exercise) == (
        *("KX7Q-2MWD", "second", "04/ripple"),
    )
    said = _on(earlier, lambda room: desk(room.view()))
    assert (said["joined"], said["answered"]) == (6, (8, 4))
    assert said["sources"][0] == {"sent": 5, "codes": 3, "hands": 0}
    assert [bar["counts"] for bar in said["spread"]["bars"]] == [(0, 4), (8, 0), (0, 0)]
    assert (room.hands["04/legal"]["1"]["computed"], room.computed["05/first-row"]) == (5, "=AB")


def test_its_tables_hold_every_answer(earlier):
    rows = _on(earlier, TABLES["answers"]).splitlines()
    assert len(rows) == 1 + 12
    assert rows[1].startswith('1,04/ripple,1,no,"""all""",future-flows-back,certain,the future')
    answers = [row["answer"] for row in _on(earlier, lambda room: room.database.rows())[:4]]
    assert answers == ["all", [1, 0, 0.0, 0.0005], [[1, 0], [1, 1]], [8, 4, 64]]
    assert _on(earlier, ideas) == [Idea("04/ripple", "future-flows-back", 5, 0, 4, 0)]


def test_an_answer_that_it_has_already_is_the_same_when_it_is_sent_again(earlier, answer):
    words = "the future flows back — “it must”"
    for body in (
        answer(1, because=words),
        answer(2, exercise="05/first-row", answer=[1, 0, 0.0, 0.0005]),
        answer(4, exercise="07/split", answer=[8, 4, 64]),
    ):
        assert earlier.learn(body)[:2] == (200, {"saved": body["id"]})
    assert earlier.learn(answer(1, because="other words"))[0] == 409
    assert earlier.learn(answer(5, round=2))[0] == 200
    rows = _on(earlier, lambda room: room.database.rows("04/ripple"))
    assert len(rows) == 10
    assert rows[-1]["learner"] == rows[0]["learner"]

"""An answer is written once, whoever sends it how often, and a full database says so."""

import json
import shutil
import sqlite3
import subprocess
import sys

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from attn_lab.classroom.count.votes import rounds_of
from attn_lab.classroom.server import class_database as module
from attn_lab.classroom.server.class_database import ClassDatabase, digest
from attn_lab.classroom.server.class_file import FileGoneError
from attn_lab.classroom.wire import Answer


def _answer(n, **changes):
    fields = {"id": f"answer-{n:06}", "exercise": "04/ripple", "round": 1, "seen": False}
    return Answer(**(fields | {"answer": "all", "confidence": "guess"} | changes))


@pytest.fixture
def database(tmp_path):
    opened = ClassDatabase(f"sqlite:///{tmp_path}/class.sqlite")
    yield opened
    opened.engine.dispose()


def test_an_answer_sent_again_is_saved_and_there_once(database):
    assert [database.save("ann", _answer(1)) for _ in range(3)] == ["saved"] * 3
    assert [row["answer"] for row in database.rows()] == ["all"]


def test_another_answer_or_another_learner_under_the_same_id_is_a_conflict(database):
    database.save("ann", _answer(1))
    assert database.save("ann", _answer(1, answer="row-4")) == "conflict"
    assert database.save("bob", _answer(1)) == "conflict"
    assert [(row["learner"], row["answer"]) for row in database.rows()] == [("ann", "all")]


def test_what_was_saved_is_there_after_opening_again(database, tmp_path):
    database.save("ann", _answer(1, answer=[1, 0.5], because="<b>=1+1</b>"), invented=True)
    database.put("state", {"phase": "first"})
    database.engine.dispose()
    again = ClassDatabase(f"sqlite:///{tmp_path}/class.sqlite")
    [row] = again.rows("04/ripple")
    assert (row["answer"], row["because"], row["invented"]) == ([1, 0.5], "<b>=1+1</b>", True)
    assert again.get("state") == {"phase": "first"}
    assert again.get("none", 3) == 3
    again.engine.dispose()


def test_a_learners_last_answer_is_the_one_that_came_last_whatever_the_clock_says(
    database, monkeypatch
):
    for n, (time, said) in enumerate([(9000.0, "all"), (1800.0, "row-4"), (5400.0, "column")]):
        monkeypatch.setattr(module.time, "time", lambda time=time: time)  # set back, put right
        database.save("ann", _answer(n, answer=said), vote="first")
    assert [row["answer"] for row in database.rows()] == ["all", "row-4", "column"]
    assert rounds_of(database.rows()).first["ann"]["answer"] == "column"


def test_seats_and_answers_of_one_learner_are_bounded(database, monkeypatch):
    monkeypatch.setattr(module, "SEATS", 2)
    monkeypatch.setattr(module, "ANSWERS_EACH", 2)
    assert [database.join(who) for who in ("ann", "bob", "ann", "eve")] == [
        *["joined"] * 3,
        "full",
    ]
    assert database.save("eve", _answer(1)) == "full"
    assert [database.save("ann", _answer(n)) for n in (2, 3, 4)] == ["saved", "saved", "spent"]
    assert database.save("ann", _answer(3)) == "saved"  # it is there already
    assert database.counts() == {"04/ripple": 1}
    assert database.joined() == 2
    assert len(database.rows()) == 2


def test_a_newcomer_who_may_not_sit_waits_and_who_has_a_seat_is_not_asked(database):
    asked = []

    def no():
        asked.append("newcomer")
        return False

    assert database.save("ann", _answer(1)) == "saved"
    assert (
        database.save("eve", _answer(2), may_sit=no) == database.join("eve", may_sit=no) == "wait"
    )
    assert database.save("ann", _answer(3), may_sit=no) == "saved"
    assert database.join("ann", may_sit=no) == "joined"
    assert len(asked) == 2 and database.joined() == 1


def test_a_full_database_raises_and_goes_on_when_there_is_room(database):
    with database.engine.connect() as connection:
        pages = connection.scalar(text("PRAGMA page_count"))
        connection.execute(text(f"PRAGMA max_page_count = {pages + 3}"))
    saved = 0
    with pytest.raises(OperationalError, match="full"):
        for n in range(1000):
            saved += database.save("ann", _answer(n, because="x" * 400)) == "saved"
    assert len(database.rows()) == saved > 0
    with database.engine.connect() as connection:
        connection.execute(text("PRAGMA max_page_count = 100000"))
        assert connection.scalar(text("PRAGMA integrity_check")) == "ok"
    assert database.save("ann", _answer(5000)) == "saved"
    assert len(database.rows()) == saved + 1


def test_the_digest_in_the_table_is_that_of_the_answer(database):
    database.save("ann", _answer(1))
    [row] = database.rows()
    assert row["digest"] == digest(_answer(1))
    assert json.dumps(row["answer"]) == '"all"'


def _on_disk(path):
    """What a program finds that opens the file as it lies there, without this process."""
    copy = path.with_name("copy.sqlite")
    copy.write_bytes(path.read_bytes())
    connection = sqlite3.connect(copy)
    found = [id for (id,) in connection.execute("SELECT id FROM answers ORDER BY id")]
    connection.close()
    copy.unlink()
    return found


def _vanish(path, how):
    if how == "with its folder":
        shutil.rmtree(path.parent)
    elif how == "moved away":
        path.rename(path.with_name("elsewhere.sqlite"))
    else:
        path.unlink()


@pytest.mark.parametrize("how", ["deleted", "moved away", "with its folder"])
def test_a_file_that_vanished_is_written_again_before_anything_is_acknowledged(tmp_path, how):
    path = tmp_path / "classes" / "class.sqlite"
    path.parent.mkdir()
    database = ClassDatabase(f"sqlite:///{path}")
    saved = [database.save("ann", _answer(n)) for n in range(3)]
    _vanish(path, how)
    saved += [database.save("ann", _answer(n)) for n in range(3, 6)]
    assert saved == ["saved"] * 6 and str(path) in database.notice
    assert database.save("ann", _answer(0)) == "saved" and database.trouble == ""
    database.engine.dispose()
    assert _on_disk(path) == [f"answer-{n:06}" for n in range(6)]


def test_a_file_that_vanishes_within_a_transaction_takes_no_acknowledged_answer_along(
    database, tmp_path
):
    def vanish():
        (tmp_path / "class.sqlite").unlink()
        return True

    with pytest.raises(FileGoneError, match="vanished"):
        database.save("ann", _answer(1), may_sit=vanish)
    assert database.rows() == []
    assert database.save("ann", _answer(1)) == "saved"
    database.engine.dispose()
    assert _on_disk(tmp_path / "class.sqlite") == ["answer-000001"]


def test_a_file_in_its_place_is_left_alone_and_what_the_class_holds_is_kept_beside_it(
    database, tmp_path
):
    path, kept = tmp_path / "class.sqlite", tmp_path / "class-kept.sqlite"
    database.save("ann", _answer(1))
    path.rename(tmp_path / "mine.sqlite")
    path.write_bytes(b"another program's")
    for _ in range(2):
        with pytest.raises(FileGoneError, match="another file stands in place"):
            database.save("ann", _answer(2))
    assert str(kept) in database.trouble and _on_disk(kept) == ["answer-000001"]
    assert path.read_bytes() == b"another program's"
    path.rename(tmp_path / "theirs")
    assert database.save("ann", _answer(2)) == "saved" and database.trouble == ""
    database.engine.dispose()
    assert _on_disk(path) == ["answer-000001", "answer-000002"]
    assert not list(tmp_path.glob("*.part"))


def test_a_log_that_vanished_takes_nothing_along_when_the_process_is_killed(tmp_path):
    path = tmp_path / "class.sqlite"
    code = f"""
import os
from pathlib import Path
from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.wire import Answer
one, two = (Answer(f"answer-00000{{n}}", "04/ripple", 1, False, "all", "guess") for n in (1, 2))
database = ClassDatabase("sqlite:///{path}")
database.save("ann", one)
Path("{path}-wal").unlink()
assert database.save("ann", two) == "saved"
os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", code]).returncode == -9
    again = ClassDatabase(f"sqlite:///{path}")
    assert [row["id"] for row in again.rows()] == ["answer-000001", "answer-000002"]
    again.engine.dispose()

"""Whatever breaks on the way, an acknowledged answer is in the class's database exactly once."""

import threading
import time

import pytest

from attn_lab.classroom.client import outbox, sending
from attn_lab.classroom.client.sending import Sender, answer_of, send
from attn_lab.classroom.join_string import read_string
from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.wire import DATABASE_AWAY
from attn_lab.course.questions import question
from attn_lab.record import Attempt, Membership, open_store
from tests.helpers.class_server import DIES_BETWEEN_COMMIT_AND_REPLY, ClassProcess, Served
from tests.helpers.processes import until


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/class.sqlite"


@pytest.fixture
def process(url):
    one = ClassProcess(url)
    yield one
    one.stop()


@pytest.fixture
def own_outbox(own_store, monkeypatch):
    monkeypatch.setattr(sending, "LONGEST_WAIT", 0.5)
    own = Sender(open_store)
    monkeypatch.setattr(outbox, "_sender", own)
    yield own
    own.stop()


def _rows(url):
    database = ClassDatabase(url)
    rows = database.rows()
    database.engine.dispose()
    return rows


def _body():
    return answer_of(Attempt("01/zero-score", "none", "guess"), 1, because=False)


def _deliver(to, body, acknowledged):
    """Send as a learner's program does: the same answer, until the class names its id."""
    while send(to, body).state != "sent":
        time.sleep(0.05)
    acknowledged.append(body.id)


def test_a_server_killed_twice_in_the_middle_loses_and_doubles_nothing(process, url):
    given = read_string(process.start().text)
    acknowledged = []

    def learner():
        to = Membership(*given)
        for _ in range(6):
            _deliver(to, _body(), acknowledged)

    learners = [threading.Thread(target=learner, daemon=True) for _ in range(12)]
    for one in learners:
        one.start()
    for part in (20, 45):
        until(lambda part=part: len(acknowledged) >= part)
        process.kill()
        process.start()
    for one in learners:
        one.join(120)
    assert len(acknowledged) == 72
    process.stop()
    ids = [row["id"] for row in _rows(url)]
    assert sorted(ids) == sorted(acknowledged)


def test_a_server_that_dies_between_commit_and_reply_keeps_the_answer_once(process, url):
    to = Membership(*read_string(process.start(before=DIES_BETWEEN_COMMIT_AND_REPLY).text))
    assert [send(to, _body()).state for _ in range(2)] == ["sent", "sent"]
    third = _body()
    assert send(to, third).state == "waiting"
    assert process.process.wait(20) == 1
    assert third.id in {row["id"] for row in _rows(url)}  # committed, and nobody was told
    process.start()
    assert send(to, third).state == "sent"
    # with a new id for each try, as a careless program would do it, it would be there twice
    assert send(to, _body()).state == "sent"
    process.stop()
    assert [row["id"] for row in _rows(url)].count(third.id) == 1
    assert len(_rows(url)) == 4


def test_a_learner_who_was_offline_for_the_session_is_counted_when_back(process, url, own_outbox):
    outbox.join(process.start().text)
    process.kill()
    for id, answer in [
        ("01/zero-score", "none"),
        ("01/two-weights", [0.67, 0.33]),
        ("01/zero-score", "third"),
    ]:
        fits = question(id).read(answer)
        open_store().add(outbox.addressed(Attempt(id, fits, "certain")))
        outbox.wake()
    until(lambda: "Not yet sent" in outbox.says(open_store().attempts()[0]))
    assert _rows(url) == []
    process.start()
    until(lambda: {each.sent for each in open_store().attempts()} == {"sent"})
    process.stop()
    rows = {(row["exercise"], row["round"]): row["answer"] for row in _rows(url)}
    assert rows == {
        ("01/zero-score", 1): "none",
        ("01/zero-score", 2): "third",
        ("01/two-weights", 1): [0.67, 0.33],
    }
    assert len({row["learner"] for row in _rows(url)}) == 1


def test_a_full_database_is_told_to_the_learner_and_the_answer_waits(served, own_outbox):
    from sqlalchemy import text

    def room_for(pages):
        with served.server.room.database.engine.connect() as connection:
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))

    outbox.join(f"http://127.0.0.1:{served.server.learner_port}#{served.code}", because=True)
    served.do(served.server.work(room_for, 1))
    own_outbox.open_store = open_store
    # rows of half a kilobyte each: the pages that exist are soon full
    for _ in range(30):
        open_store().add(
            outbox.addressed(Attempt("04/ripple", "all", "certain", because="x" * 450))
        )
    outbox.wake()
    said = lambda: [outbox.says(each) for each in open_store().attempts()]  # noqa: E731
    full = f"Not yet sent to the class ({DATABASE_AWAY.said})"
    until(lambda: any(line.startswith(full) for line in said()))
    served.do(served.server.work(room_for, 100_000))
    until(lambda: set(said()) == {"Sent to the class."})
    rows = served.do(served.server.work(served.server.room.database.rows))
    assert len({row["id"] for row in rows}) == len(rows) == 30


def test_answers_wait_while_another_class_stands_at_the_address(tmp_path, course, own_outbox):
    """Two groups on one laptop, one after the other: the first's answers are not refused."""
    mine, theirs = (f"sqlite:///{tmp_path}/{name}.sqlite" for name in ("mine", "theirs"))
    first = Served(mine, course)
    port, code = first.server.learner_port, first.code
    outbox.join(f"http://127.0.0.1:{port}#{code}")
    first.close()
    other = Served(theirs, course, learner_port=port)
    saved = open_store().add(outbox.addressed(Attempt("04/ripple", "all", "certain")))
    outbox.wake()
    until(lambda: "the class there has another join code" in outbox.says(saved))
    assert outbox.says(saved).startswith("Not yet sent to the class")
    assert outbox.join(f"http://127.0.0.1:{port}#{code}").startswith("Not joined: the class there")
    other.close()
    again = Served(mine, course, learner_port=port)
    until(lambda: outbox.says(saved) == "Sent to the class.")
    assert [row["id"] for row in again.do(again.server.work(again.server.room.database.rows))] == [
        saved.id
    ]
    again.close()

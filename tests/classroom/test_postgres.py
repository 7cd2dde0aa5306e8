"""The same class in PostgreSQL, Debian's server: exactly once there too, also over its crash."""

import importlib.util
import os
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from attn_lab.classroom.client.sending import answer_of, send
from attn_lab.classroom.join_string import read_string
from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.wire import DATABASE_AWAY
from attn_lab.record import Attempt, Membership
from tests.helpers.class_server import DIES_BETWEEN_COMMIT_AND_REPLY, ClassProcess
from tests.helpers.processes import free_port

from .test_class_database import _answer

BIN = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
MISSING = [
    what
    for what, there in [
        ("Debian's package postgresql", BIN),
        ("pip install -r requirements-test.lock", importlib.util.find_spec("psycopg")),
        ("root with runuser, or another user than root", os.geteuid() or shutil.which("runuser")),
    ]
    if not there
]
REASON = f"needs {' and '.join(MISSING)}"
if MISSING and os.environ.get("ATTN_LAB_REQUIRE_SERVERS") == "1":
    pytest.fail(f"{REASON}: ATTN_LAB_REQUIRE_SERVERS=1 is set")
pytestmark = pytest.mark.skipif(bool(MISSING), reason=REASON)


class Postgres:
    """A cluster of its own on 127.0.0.1; PostgreSQL refuses to run as root."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "-N")
        self.start()

    @property
    def data(self):
        return f"{self.folder}/data"

    @property
    def url(self):
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, program, *arguments):
        command = [str(BIN / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        subprocess.run(command, check=True, capture_output=True, cwd=self.folder, timeout=120)

    def start(self):
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -c fsync=on"
        log = f"{self.folder}/log"
        self.run("pg_ctl", "start", "-w", "-D", self.data, "-l", log, "-o", options)

    def stop(self, how):
        self.run("pg_ctl", "stop", "-w", "-D", self.data, "-m", how)


@pytest.fixture(scope="module")
def postgres():
    # not under pytest's own folder, which another run may close to other users meanwhile
    with tempfile.TemporaryDirectory(prefix="attn-lab-postgres-") as folder:
        running = Postgres(folder)
        yield running
        running.stop("immediate")


@pytest.fixture
def database(postgres):
    from attn_lab.classroom.server.class_tables import metadata

    opened = ClassDatabase(postgres.url)
    metadata.drop_all(opened.engine)
    metadata.create_all(opened.engine)
    yield opened
    opened.engine.dispose()


def test_an_answer_is_there_once_and_another_under_its_id_is_a_conflict(database):
    assert [database.save("ann", _answer(1)) for _ in range(3)] == ["saved"] * 3
    assert database.save("ann", _answer(1, answer="row-4")) == "conflict"
    assert database.save("bob", _answer(1)) == "conflict"
    assert [(row["learner"], row["answer"]) for row in database.rows()] == [("ann", "all")]


def test_settings_counts_and_seats_are_the_same_as_in_sqlite(database):
    database.put("state", {"phase": "first"})
    database.put("state", {"phase": "second"})
    assert database.get("state") == {"phase": "second"}
    database.save("ann", _answer(1, because="<b>é", answer=[1, 0.5]))
    assert database.join("bob") == "joined"
    assert (database.joined(), database.counts()) == (2, {"04/ripple": 1})
    assert database.rows("04/ripple")[0]["because"] == "<b>é"


def test_a_class_of_an_earlier_edition_is_read_completed_and_gone_on_with(postgres, database):
    """Its tables as they were made then, without the columns that came since."""
    database.save("ann", _answer(1, round=1))
    database.put("state", {"phase": "second", "exercise": "04/ripple", "since": 1.0})
    with database.engine.begin() as connection:
        for table, column in (("answers", "vote"), ("learners", '"left"')):
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
    database.engine.dispose()
    for _ in range(2):  # completed once, and then complete
        again = ClassDatabase(postgres.url)
        assert [(row["id"], row["vote"]) for row in again.rows()][:1] == [("answer-000001", None)]
        again.engine.dispose()
    again = ClassDatabase(postgres.url)
    assert again.save("ann", _answer(1, round=1)) == "saved"
    assert again.save("ann", _answer(2, round=2), vote="late") == "late"
    again.leave("ann")
    assert (again.joined(), again.seats(), again.join("ann"), again.joined()) == (0, 1, "joined", 1)
    assert [row["vote"] for row in again.rows()] == [None, "late"]
    again.engine.dispose()


def _body():
    return answer_of(Attempt("01/zero-score", "none", "guess"), 1, because=False)


def test_a_database_that_crashes_in_the_middle_loses_and_doubles_nothing(postgres, database):
    process = ClassProcess(postgres.url).start()
    given, acknowledged, waited = read_string(process.text), [], []

    def learner():
        to = Membership(*given)
        for _ in range(6):
            body = _body()
            while (outcome := send(to, body)).state != "sent":
                waited.append(outcome.said)
                time.sleep(0.05)
            acknowledged.append(body.id)
            time.sleep(0.05)

    learners = [threading.Thread(target=learner, daemon=True) for _ in range(10)]
    for one in learners:
        one.start()
    while len(acknowledged) < 20:
        time.sleep(0.01)
    postgres.stop("immediate")
    while not waited:
        time.sleep(0.01)
    postgres.start()
    for one in learners:
        one.join(120)
    process.stop()
    assert len(acknowledged) == 60
    assert DATABASE_AWAY.said in waited
    assert sorted(row["id"] for row in database.rows()) == sorted(acknowledged)


def test_a_server_that_dies_between_commit_and_reply_keeps_the_answer_once(postgres, database):
    process = ClassProcess(postgres.url).start(before=DIES_BETWEEN_COMMIT_AND_REPLY)
    to = Membership(*read_string(process.text))
    bodies = [_body() for _ in range(3)]
    assert [send(to, body).state for body in bodies] == ["sent", "sent", "waiting"]
    process.process.wait(20)
    process.start()
    assert send(to, bodies[2]).state == "sent"
    process.stop()
    assert sorted(row["id"] for row in database.rows()) == sorted(body.id for body in bodies)

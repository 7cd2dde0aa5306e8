"""Rows are written so that a write may be repeated, and counted inside its transaction."""

import sqlite3

import pytest

from attn_lab.record import Attempt, Reveal, Store
from attn_lab.record.store_tables import APPLICATION, SCHEMA, add_attempt, insert, select, writing

FIRST = Attempt("05/first-row", [1], "guess")


@pytest.fixture
def connection():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with writing(connection):
        pass
    yield connection
    connection.close()


def test_an_attempt_that_is_written_twice_is_there_once(connection):
    add_attempt(connection, FIRST)
    add_attempt(connection, FIRST)
    assert [each.round for each in select(connection, Attempt)] == [1]


def test_a_result_that_another_kernel_has_just_shown_counts_as_seen(connection):
    insert(connection, Reveal("05/first-row", "another", [1], "same"))
    add_attempt(connection, FIRST)
    assert select(connection, Attempt)[0].seen


def test_a_file_of_before_a_column_is_read_as_it_is_and_gets_the_column_when_written(path):
    path.parent.mkdir()
    old = sqlite3.connect(path)
    old.execute(SCHEMA["attempts"])
    old.execute(f"PRAGMA application_id = {APPLICATION}")
    old.execute("PRAGMA user_version = 1")
    row = "'1', '05/x', 1, 0, '[1]', 'guess', '', '', '2026-01-01T00:00:00+00:00', '0', 'waiting'"
    old.execute(f"INSERT INTO attempts VALUES ({row})")
    old.commit()
    old.close()
    before = path.read_bytes()
    store = Store(path)
    (first,) = store.attempts()
    assert (first.sent, first.to_class) == ("waiting", "") and path.read_bytes() == before
    second = store.add(Attempt("05/x", [2], "guess", to_class="A 2026"))
    assert store.trouble == "" and Store(path).attempts() == [first, second]


def test_what_is_written_before_a_failure_is_undone(connection):
    with pytest.raises(RuntimeError), writing(connection):
        add_attempt(connection, FIRST)
        raise RuntimeError
    assert select(connection, Attempt) == [] and not connection.in_transaction


def test_a_transaction_holds_the_file_from_its_first_moment(tmp_path):
    # Rounds are read before they are written: two kernels must not read the same ones.
    path = tmp_path / "predictions.sqlite"
    first, second = (sqlite3.connect(path, timeout=0, isolation_level=None) for _ in range(2))
    with writing(first):
        with pytest.raises(sqlite3.OperationalError, match="locked"), writing(second):
            pass
    first.close()
    second.close()

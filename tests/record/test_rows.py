"""A row that SQLite hands out without complaint can be damaged all the same."""

import sqlite3

import pytest

from attn_lab.record import Attempt, Reveal, TaskResult, memberships
from attn_lab.record.database import is_damaged
from attn_lab.record.memberships import Membership
from attn_lab.record.store import Store

from .test_damage import aside


def damage(path, table, column, value):
    """Writes what no program of ours writes, NULL too, into the first row of a table."""
    for step in (
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '')",
        f"UPDATE {table} SET {column} = {value} WHERE rowid = 1",
    ):
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute(step)
        connection.close()


@pytest.fixture
def two(store):
    """Two attempts at two exercises, each with a result, and two tasks."""
    kept = [store.add(Attempt(f"05/{name}", [1, 0], "guess", "mine")) for name in ("one", "two")]
    for each in kept:
        store.add_reveal(Reveal(each.exercise, each.id, [1, 0], "same"))
        store.add_task(TaskResult(each.exercise, True))
    return kept


DAMAGE = [
    ("attempts", "answer", "'[1, 0;'"),
    ("attempts", "answer", "NULL"),
    ("attempts", "time", "'2026-99-99'"),
    ("attempts", "time", "'0001-01-01T00:00:00+23:00'"),
    ("attempts", "time", "NULL"),
    ("attempts", "confidence", "'guesz'"),
    ("attempts", "because", "NULL"),
    ("attempts", "seen", "'yes'"),
    ("reveals", "computed", "'nothing'"),
    ("reveals", "verdict", "NULL"),
    ("tasks", "passed", "NULL"),
    ("tasks", "time", "'noon'"),
]


@pytest.mark.parametrize("table,column,value", DAMAGE)
def test_a_row_that_cannot_be_read_has_the_file_set_aside_and_costs_no_other_row(
    two, path, table, column, value
):
    damage(path, table, column, value)
    before = path.read_bytes()
    store = Store(path)
    read = {"attempts": store.attempts, "reveals": store.reveals, "tasks": store.tasks}
    assert len(read[table]()) == 1
    assert [each.read_bytes() for each in aside(path)] == [before]
    assert str(aside(path)[0]) in store.notice and "not deleted" in store.notice
    assert all(len(rows()) == 2 - (name == table) for name, rows in read.items())
    added = store.add(Attempt("05/one", [0, 1], "guess"))
    assert store.trouble == "" and added in Store(path).attempts() and not is_damaged(path)
    assert len(aside(path)) == 1


def test_damage_met_while_writing_is_set_aside_too(two, path):
    damage(path, "attempts", "answer", "'[1, 0;'")
    store = Store(path)
    added = store.add(Attempt("05/one", [0, 1], "guess"))
    assert store.trouble == "" and Store(path).attempts() == [added, two[1]]
    assert len(aside(path)) == 1


def test_a_reason_with_a_damaged_letter_is_kept_without_that_letter(two, path):
    damage(path, "attempts", "because", "CAST(x'6dff6e65' AS TEXT)")
    store = Store(path)
    assert [each.because for each in store.attempts()] == ["m�ne", "mine"]
    assert len(aside(path)) == 1 and "are kept: 2." in store.notice
    assert [each.id for each in Store(path).attempts()] == [each.id for each in two]


def test_the_class_that_was_joined_is_still_joined_after_the_file_was_set_aside(two, path):
    joined = memberships.add(path, Membership("http://a", "A"))
    damage(path, "attempts", "answer", "'[1, 0;'")
    assert len(Store(path).attempts()) == 1 and len(aside(path)) == 1
    assert memberships.memberships(path) == [joined]

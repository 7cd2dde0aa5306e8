"""A row is read as the value it was, by whichever attn_lab it was written, or as damage."""

import sqlite3
from pathlib import Path

import pytest

from attn_lab.record import Attempt, Membership, Reveal, Store, TaskResult
from attn_lab.record.history import made
from attn_lab.record.recovery import is_damaged

from .test_recovery import aside

DUMP = Path(__file__).with_name("earlier_store.sql").read_text("utf-8")
REFUSED, NO_REASON, SENT, WAITING, ALONE = (
    *("05/first-row", "05/hotter", "05/third-row", "05/very-hot"),
    "01/zero-score",
)


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
    assert store.trouble == "" and Store(path).attempts() == [two[1], added]
    assert len(aside(path)) == 1


def test_a_reason_with_a_damaged_letter_is_kept_without_that_letter(two, path):
    damage(path, "attempts", "because", "CAST(x'6dff6e65' AS TEXT)")
    store = Store(path)
    assert [each.because for each in store.attempts()] == ["m�ne", "mine"]
    assert len(aside(path)) == 1 and "are kept: 2." in store.notice
    assert [each.id for each in Store(path).attempts()] == [each.id for each in two]


def test_the_class_that_was_joined_is_still_joined_after_the_file_was_set_aside(two, path):
    joined = Membership("http://a", "A")
    Store(path).add_membership(joined)
    damage(path, "attempts", "answer", "'[1, 0;'")
    assert len(Store(path).attempts()) == 1 and len(aside(path)) == 1
    assert Store(path).memberships() == [joined]


@pytest.fixture
def earlier(path):
    """A store that an earlier attn_lab wrote."""
    path.parent.mkdir()
    connection = sqlite3.connect(path)
    connection.executescript(DUMP)
    connection.close()
    return path


def columns(path, table):
    connection = sqlite3.connect(path)
    found = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    return found


def holds_what_was_written(store):
    states = {each.exercise: (each.sent, each.refusal) for each in store.attempts()}
    assert states == {
        REFUSED: ("refused", "it is too late: the vote is over"),
        NO_REASON: ("refused", ""),
        SENT: ("sent", ""),
        WAITING: ("waiting", ""),
        ALONE: ("", ""),
    }
    first = store.latest(REFUSED)
    assert (first.answer, first.confidence, first.because) == (
        [1, 0, 0, 0],
        "certain",
        "only key 1",
    )
    assert first.afterwards == "the mask leaves one key"
    assert [each.attempt for each in store.reveals()] == [first.id]
    names = [(each.mistake, each.mistake_name) for each in store.tasks()]
    assert names == [("mask_all_true", "all open"), ("mask_transposed", ""), ("", ""), ("", "")]
    (one,) = made(store.tasks())
    assert one.way == "passed after 4 tries; met on the way: all open, mask transposed"
    assert [each.key for each in store.memberships()] == [first.to_class]
    assert store.trouble == store.notice == ""


def test_an_earlier_store_is_read_as_it_is(earlier):
    before = earlier.read_bytes()
    holds_what_was_written(Store(earlier))
    assert earlier.read_bytes() == before


def test_an_earlier_store_gains_the_columns_when_it_is_written_and_keeps_its_rows(earlier):
    store = Store(earlier)
    new = TaskResult("07/multi-head", False, "one_head", "not yet", "one head")
    store.add_task(new)
    assert "mistake_name" in columns(earlier, "tasks")
    assert "refusal" in columns(earlier, "attempts")
    again = Store(earlier)
    assert again.tasks("07/multi-head") == [new]
    store.forget()
    assert not earlier.exists()


def test_the_rows_of_an_earlier_store_are_the_same_after_the_move(earlier):
    store = Store(earlier)
    assert store.mark_sent(store.latest(WAITING), "waiting")
    assert "refusal" in columns(earlier, "attempts")
    holds_what_was_written(Store(earlier))


def test_a_reason_of_today_is_never_read_as_one_of_before(store):
    saved = store.add(Attempt("05/x", [1], "guess", sent="waiting"))
    store.mark_sent(saved, "refused", "closed: ask later")
    kept = Store(store.path).latest("05/x")
    assert (kept.sent, kept.refusal) == ("refused", "closed: ask later")
    message = "The same comes out of a known mistake, “all open”."
    store.add_task(TaskResult("04/causal-mask", False, "mask_all_true", message))
    assert Store(store.path).tasks()[0].mistake_name == ""


def test_an_earlier_attn_lab_may_write_on_in_a_file_of_today(store, path):
    store.add(Attempt("05/x", [1], "guess"))
    row = "'1', '05/y', 1, 0, '[1]', 'guess', '', '', '2026-01-01T00:00:00+00:00', '0'"
    names = "id, exercise, round, seen, answer, confidence, because, afterwards, time, version"
    with sqlite3.connect(path) as connection:
        connection.execute(f"INSERT INTO attempts ({names}, sent) VALUES ({row}, 'refused: late')")
    connection.close()
    kept = store.latest("05/y")
    assert (kept.sent, kept.refusal) == ("refused", "late") and store.notice == ""


def test_a_damaged_earlier_store_is_set_aside_and_its_rows_are_moved_too(earlier):
    connection = sqlite3.connect(earlier)
    connection.execute("UPDATE tasks SET time = 'noon' WHERE passed = 1")
    connection.commit()
    connection.close()
    store = Store(earlier)
    assert [each.mistake_name for each in store.tasks()] == ["all open", "", ""]
    assert "are kept: 5." in store.notice
    assert store.latest(REFUSED).refusal == "it is too late: the vote is over"

"""Two kernels at once, and kernels that are killed: nothing acknowledged is lost."""

import os
import signal
import sqlite3

import pytest

from attn_lab.record import Attempt, Store

EACH = 40


def test_two_processes_writing_at_once_lose_nothing_and_share_no_round(child, path):
    code = f"""
for n in range({EACH}):
    saved = store.add(Attempt("05/first-row", [n], "guess", sys.argv[0]))
    assert not store.trouble, store.trouble
    print(saved.id, saved.round, flush=True)
"""
    both = [child(code), child(code)]
    said = [each.communicate(timeout=120)[0].split("\n")[:-1] for each in both]
    assert [each.returncode for each in both] == [0, 0]
    acknowledged = sorted(tuple(line.split()) for lines in said for line in lines)
    kept = Store(path).attempts("05/first-row")
    assert sorted((each.id, str(each.round)) for each in kept) == acknowledged
    assert [each.round for each in kept] == list(range(1, 2 * EACH + 1))


def test_a_kernel_killed_after_the_write_has_saved_the_answer(child, path):
    killed = child("""
store.add(Attempt("05/first-row", [1, 0, 0, 0], "certain", "kept"))
os.kill(os.getpid(), signal.SIGKILL)
print("acknowledged")
""")
    said, _ = killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL and said == ""
    assert Store(path).latest("05/first-row").because == "kept"


def test_a_kernel_killed_inside_the_write_leaves_a_sound_file_and_its_earlier_answers(child, path):
    killed = child("""
from attn_lab.record import store_tables as tables
first = store.add(Attempt("05/first-row", [1, 0, 0, 0], "certain", "kept"))
print(first.id, flush=True)
def dies(connection, attempt):
    for n in range(2000):  # more than the page cache holds: half of it is on the disk by now
        connection.execute("PRAGMA cache_size = 1")
        tables.insert(connection, Attempt("05/hotter", "x" * 500, "guess", round=n))
    os.kill(os.getpid(), signal.SIGKILL)
sys.modules["attn_lab.record.store"].add_attempt = dies
store.add(Attempt("05/first-row", [0], "guess"))
""")
    said, _ = killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL
    assert path.with_name(path.name + "-journal").exists(), "the kill came inside a transaction"
    store = Store(path)
    assert [each.id for each in store.attempts()] == said.split()
    assert store.notice == "" and store.trouble == ""
    store.add(Attempt("05/first-row", [0], "guess"))
    assert [each.round for each in store.attempts("05/first-row")] == [1, 2]


def test_a_store_that_another_kernel_deletes_is_made_again(store, path):
    store.add(Attempt("05/first-row", [1], "guess"))
    path.unlink()
    saved = store.add(Attempt("05/first-row", [2], "guess"))
    assert Store(path).attempts() == [saved]


@pytest.mark.skipif(os.name == "nt", reason="an open file cannot be deleted there")
def test_an_answer_is_acknowledged_only_if_the_file_under_its_name_holds_it(
    store, path, monkeypatch
):
    from attn_lab.record import store as module

    real, deleted = module.add_attempt, []

    def deletes_once(connection, attempt):
        real(connection, attempt)
        if not deleted:  # another kernel forgets everything in the middle of this write
            path.unlink()
            deleted.append(path)

    monkeypatch.setattr(module, "add_attempt", deletes_once)
    saved = store.add(Attempt("05/first-row", [2], "guess"))
    assert deleted and store.trouble == ""
    assert Store(path).attempts() == [saved]


def test_a_locked_file_is_said_and_the_answer_follows_later(store, path, monkeypatch):
    store.add(Attempt("05/hotter", [1], "guess"))
    monkeypatch.setattr("attn_lab.record.store_file.PATIENCE", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    store.add(Attempt("05/first-row", [2], "guess"))
    assert "another program keeps it locked" in store.trouble
    other.execute("ROLLBACK")
    other.close()
    assert [each.exercise for each in Store(path).attempts()] == ["05/hotter"]
    store.add(Attempt("05/hotter", [3], "guess"))
    assert store.trouble == ""
    assert [each.answer for each in Store(path).attempts()] == [[1], [2], [3]]
    Store(path).say_afterwards(Store(path).latest("05/first-row"), "said in another kernel")
    assert store.latest("05/first-row").afterwards == "said in another kernel"


def test_a_lock_is_waited_for_once_until_the_file_has_answered_and_then_anew(
    store, path, monkeypatch
):
    from attn_lab.record import store_file as module

    store.add(Attempt("05/hotter", [1], "guess"))
    waits, real = [], module.connect
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    monkeypatch.setattr(module, "connect", lambda *at: waits.append(at[1]) or real(*at))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    fresh = Store(path)
    for answered in (True, False, True):
        if answered:  # at the start, and once the lock was gone for a while
            other.execute("ROLLBACK")
            fresh.attempts()
            other.execute("BEGIN EXCLUSIVE")
            waits.clear()
        with fresh.one_action():
            fresh.attempts()
            fresh.add(Attempt("05/first-row", [2], "guess"))
            assert "another program keeps it locked" in fresh.trouble
        assert waits.pop(0) == (0.05 if answered else 0.0) and set(waits) == {0.0}
        waits.clear()
    other.execute("ROLLBACK")
    other.close()
    assert fresh.add(Attempt("05/hotter", [3], "guess")).round == 2

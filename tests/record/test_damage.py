"""A damaged file is set aside, never deleted, and what can be read from it is kept."""

import sqlite3

from attn_lab.record import Attempt, damage
from attn_lab.record.database import is_damaged
from attn_lab.record.store import Store
from attn_lab.record.tables import APPLICATION


def broken(text, times=999):
    """Bytes that are no database any more, with the mark that says whose they were."""
    content = bytearray(text * times)
    content[68:72] = APPLICATION.to_bytes(4, "big")
    return bytes(content)


def aside(path):
    return [each for each in path.parent.iterdir() if ".damaged-" in each.name]


def test_a_file_that_is_no_database_is_set_aside_whole_and_said(store, path):
    path.parent.mkdir()
    path.write_bytes(broken(b"this was a database once"))
    saved = store.add(Attempt("05/first-row", [1, 0, 0, 0], "guess"))
    assert [each.read_bytes() for each in aside(path)] == [broken(b"this was a database once")]
    assert str(aside(path)[0]) in store.notice and "not deleted" in store.notice
    assert store.trouble == "" and Store(path).attempts() == [saved]


def test_damage_is_met_when_reading_too(store, path):
    path.parent.mkdir()
    path.write_bytes(broken(b"garbage"))
    assert store.attempts() == []
    assert len(aside(path)) == 1 and str(aside(path)[0]) in store.notice


def test_a_torn_page_costs_its_own_rows_and_no_others(store, path):
    added = [store.add(Attempt("05/x", "x" * 900, "guess", str(n))) for n in range(60)]
    whole = bytearray(path.read_bytes())
    page = len(whole) // 4096 // 2 * 4096
    whole[page : page + 4096] = b"\xff" * 4096
    path.write_bytes(whole)
    assert is_damaged(path)
    after = Store(path)
    last = after.add(Attempt("05/x", [1], "guess", "new"))
    kept = after.attempts("05/x")
    assert last in kept and not is_damaged(path)
    words = {each.because: each for each in kept}
    assert 40 <= len(words) < 61, "all but those of one page"
    assert all(words[each.because].id == each.id for each in added if each.because in words)
    assert len(kept) - 1 == int(after.notice.rstrip(".").split(": ")[-1])


def test_a_truncated_file_is_set_aside(store, path):
    for n in range(60):
        store.add(Attempt("05/x", "x" * 900, "guess", str(n)))
    path.write_bytes(path.read_bytes()[:50000])  # a copy that broke off
    after = Store(path)
    after.add(Attempt("05/y", [1], "guess"))
    assert len(aside(path)) == 1
    assert after.trouble == "" and after.latest("05/y") is not None
    assert len(after.attempts("05/x")) > 5


def test_a_sound_file_is_never_moved(store, path):
    store.add(Attempt("05/x", [1], "guess"))
    assert damage.set_aside(path) is None
    assert aside(path) == [] and len(store.attempts()) == 1


def test_two_damaged_files_keep_two_names(store, path):
    path.parent.mkdir()
    for content in (broken(b"one"), broken(b"two")):
        path.write_bytes(content)
        damage.set_aside(path)
    assert sorted(each.read_bytes()[:3] for each in aside(path)) == [b"one", b"two"]


def test_a_journal_that_could_not_be_replayed_goes_with_its_file(path, monkeypatch):
    path.parent.mkdir()
    path.write_bytes(broken(b"no database"))
    path.with_name(path.name + "-journal").write_bytes(b"old")
    monkeypatch.setattr(damage, "is_damaged", lambda path: True)  # reading would have used it up
    moved, _ = damage.set_aside(path)
    assert moved.with_name(moved.name + "-journal").read_bytes() == b"old"


def test_two_processes_that_find_the_damage_together_lose_nothing(child, path):
    path.parent.mkdir()
    path.write_bytes(broken(b"no database"))
    code = """
for n in range(10):
    print(store.add(Attempt("05/x", [n], "guess")).id, flush=True)
    assert not store.trouble, store.trouble
"""
    both = [child(code), child(code)]
    said = [each.communicate(timeout=120)[0].split() for each in both]
    assert sorted(said[0] + said[1]) == sorted(each.id for each in Store(path).attempts())
    assert len(said[0] + said[1]) == 20
    assert len(aside(path)) == 1


def test_the_database_of_another_program_is_neither_moved_nor_written(store, path):
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE recipes (name)")
    other.commit()
    other.close()
    before = path.read_bytes()
    saved = store.add(Attempt("05/x", [1], "guess"))
    assert path.read_bytes() == before and aside(path) == []
    assert "another program" in store.trouble and store.attempts() == [saved]


def test_the_file_of_a_newer_version_is_not_written(store, path):
    store.add(Attempt("05/x", [1], "guess"))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    later = Store(path)
    later.add(Attempt("05/x", [2], "guess"))
    assert path.read_bytes() == before
    assert "newer attn_lab" in later.trouble
    assert [each.round for each in later.attempts("05/x")] == [1, 2]

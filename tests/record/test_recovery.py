"""A damaged file is set aside, never deleted; what is not attn_lab's own is left alone."""

import os
import sqlite3

import pytest

from attn_lab.record import Attempt, Store, recovery
from attn_lab.record.recovery import is_damaged
from attn_lab.record.store_tables import APPLICATION, is_marked

FIRST = Attempt("05/first-row", [1, 0, 0, 0], "guess")


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
    assert after.attempts("05/x")
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
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])  # a copy that broke off
    after = Store(path)
    after.add(Attempt("05/y", [1], "guess"))
    assert len(aside(path)) == 1
    assert after.trouble == "" and after.latest("05/y") is not None
    assert len(after.attempts("05/x")) > 5


def test_a_sound_file_is_never_moved(store, path):
    store.add(Attempt("05/x", [1], "guess"))
    assert recovery.set_aside(path) is None
    assert aside(path) == [] and len(store.attempts()) == 1


def test_two_damaged_files_keep_two_names(store, path):
    path.parent.mkdir()
    for content in (broken(b"one"), broken(b"two")):
        path.write_bytes(content)
        recovery.set_aside(path)
    assert sorted(each.read_bytes()[:3] for each in aside(path)) == [b"one", b"two"]


def test_a_journal_that_could_not_be_replayed_goes_with_its_file(path, monkeypatch):
    path.parent.mkdir()
    path.write_bytes(broken(b"no database"))
    path.with_name(path.name + "-journal").write_bytes(b"old")
    monkeypatch.setattr(recovery, "is_damaged", lambda path: True)  # reading would have used it up
    moved, _ = recovery.set_aside(path)
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


def listing(folder):
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def recipes(path, id=0):
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA application_id = {id}")
        other.execute("CREATE TABLE attempts (name)")
    other.close()
    return path.read_bytes()


@pytest.fixture
def ours(store, path):
    """The bytes of a file that the store wrote."""
    store.add(FIRST)
    return path.read_bytes()


@pytest.mark.parametrize(
    "content",
    [
        b"my notes\n" * 500,
        b"x",
        b"\x7fELF\0\0" * 900,
        b"CREATE TABLE attempts (\n        id TEXT PRIMARY KEY, exercise TEXT NOT NULL, round",
    ],
)
def test_a_foreign_file_stays_and_answers_are_kept_in_memory(tmp_path, content):
    file = tmp_path / "t.txt"
    file.write_bytes(content)
    store = Store(file)
    assert store.attempts() == [] and "not a file of attn_lab" in store.trouble
    saved = store.add(FIRST)
    assert store.attempts() == [saved] and store.notice == ""
    assert "set ATTN_LAB_STORE" in store.trouble
    assert store.forget() == [] and store.beside() == [file]
    assert listing(tmp_path) == {"t.txt": content}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_refused_and_nobody_waits_for_its_other_end(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    store = Store(tmp_path / "pipe")
    saved = store.add(FIRST)
    assert store.attempts() == [saved] and "not a file that can hold them" in store.trouble
    assert store.forget() == [] and store.beside() == [tmp_path / "pipe"]


@pytest.mark.parametrize(
    "damage", [lambda x: x, lambda x: x[:5000], lambda x: x[:100] + b"\xff" * 9]
)
def test_the_database_of_another_program_stays_sound_or_damaged(tmp_path, damage):
    file = tmp_path / "other.db"
    content = damage(recipes(file))
    file.write_bytes(content)
    (tmp_path / "other.db-journal").write_bytes(b"theirs")
    (tmp_path / "other.db.damaged-by-me.txt").write_bytes(b"theirs")
    store = Store(file)
    assert store.forget() == []
    assert listing(tmp_path) == {
        "other.db": content,
        "other.db-journal": b"theirs",
        "other.db.damaged-by-me.txt": b"theirs",
    }


def test_a_set_aside_file_without_our_mark_is_somebodys_and_stays(ours, store, path):
    moved = path.with_name(path.name + ".damaged-20260101-120000")
    moved.write_bytes(b"notes that an earlier version moved away")
    mine = path.with_name(path.name + ".damaged-20260101-120001-2")
    mine.write_bytes(ours)
    assert store.forget() == [path, mine]
    assert store.beside() == [moved]


@pytest.mark.parametrize("lost", [16, 100])
def test_a_file_of_ours_with_a_broken_header_is_known_and_its_rows_are_saved(ours, path, lost):
    path.write_bytes(b"\0" * lost + ours[lost:])
    assert is_marked(path)
    later = Store(path)
    later.add(FIRST.__class__("05/hotter", [1], "guess"))
    assert later.trouble == "" and "set aside" in later.notice
    assert later.forget() and later.beside() == []


def test_the_mark_is_the_application_id_at_byte_68(tmp_path):
    file = tmp_path / "file"
    recipes(file, APPLICATION)
    assert is_marked(file)
    recipes(tmp_path / "other", APPLICATION + 1)
    assert not is_marked(tmp_path / "other")


def test_in_our_own_data_folder_any_damaged_file_is_set_aside_and_forgotten(default_place):
    default_place.parent.mkdir(parents=True)
    default_place.write_bytes(b"garbage" * 999)
    store = Store(default_place)
    store.add(FIRST)
    assert store.trouble == "" and len(store.beside()) == 3
    assert len(store.forget()) == 3 and store.beside() == []
    default_place.write_bytes(b"garbage" * 999)
    assert Store(default_place).forget() == [default_place]


def test_even_there_a_sound_database_of_another_program_stays(default_place):
    default_place.parent.mkdir(parents=True)
    recipes(default_place)
    assert Store(default_place).forget() == [] and default_place.exists()


def test_a_folder_is_said_to_be_one_after_reading_too(tmp_path):
    store = Store(tmp_path)
    store.add(FIRST)
    assert "it is a folder" in store.trouble
    store.attempts()
    assert "it is a folder" in store.trouble
    assert store.forget() == [] and tmp_path.is_dir()

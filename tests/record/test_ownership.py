"""What is not attn_lab's own is neither moved nor deleted, wherever ATTN_LAB_STORE points."""

import os
import sqlite3

import pytest

from attn_lab.record import Attempt, Store, ownership
from attn_lab.record.tables import APPLICATION

FIRST = Attempt("05/first-row", [1, 0, 0, 0], "guess")


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
    assert ownership.is_marked(path)
    later = Store(path)
    later.add(FIRST.__class__("05/hotter", [1], "guess"))
    assert later.trouble == "" and "set aside" in later.notice
    assert later.forget() and later.beside() == []


def test_the_mark_is_the_application_id_at_byte_68(tmp_path):
    file = tmp_path / "file"
    recipes(file, APPLICATION)
    assert ownership.is_marked(file)
    recipes(tmp_path / "other", APPLICATION + 1)
    assert not ownership.is_marked(tmp_path / "other")


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

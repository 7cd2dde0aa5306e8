"""Where nothing can be written the answer is kept in memory, and that is said."""

import os
import sys
from pathlib import Path

import pytest

from attn_lab.record import Attempt, Reveal, Store
from attn_lab.record import store_file as module

FIRST = Attempt("05/first-row", [1, 0, 0, 0], "certain", "only key 1")


def under_a_file(tmp_path):
    (tmp_path / "a-file").write_text("not a folder")
    return tmp_path / "a-file" / "predictions.sqlite"


def in_proc(tmp_path):
    return Path("/proc/attn_lab/predictions.sqlite")


def a_folder(tmp_path):
    return tmp_path


def a_name_too_long(tmp_path):
    return tmp_path / ("x" * 300)


@pytest.fixture
def closed(tmp_path):
    """A folder that nobody may search; root may, and so becomes another user for a while."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0)
    root = os.name != "nt" and os.geteuid() == 0
    if root:
        os.seteuid(65534)
    yield folder
    if root:
        os.seteuid(0)
    folder.chmod(0o700)


@pytest.mark.parametrize(
    "place",
    [
        under_a_file,
        a_folder,
        a_name_too_long,
        pytest.param(
            in_proc, marks=pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
        ),
    ],
)
def test_without_a_writable_place_the_answer_works_and_is_said_not_to_last(tmp_path, place):
    works_and_says_that_it_will_not_last(Store(place(tmp_path)))


@pytest.mark.skipif(os.name == "nt", reason="there a folder cannot be closed by its mode")
def test_below_a_folder_that_may_not_be_searched_the_answer_works_and_is_said_not_to_last(closed):
    works_and_says_that_it_will_not_last(Store(closed / "below" / "predictions.sqlite"))


def works_and_says_that_it_will_not_last(store):
    saved = store.add(FIRST)
    assert "will not be remembered" in store.trouble and str(store.path) in store.trouble
    assert "ATTN_LAB_STORE" in store.trouble
    assert store.attempts("05/first-row") == [saved] and saved.round == 1
    store.add_reveal(Reveal("05/first-row", saved.id, [1, 0, 0, 0], "same"))
    assert store.was_revealed("05/first-row")
    again = store.add(Attempt("05/first-row", [1], "guess"))
    assert (again.round, again.seen) == (2, True)
    assert store.say_afterwards(saved, "later") and store.attempts()[0].afterwards == "later"
    assert store.forget() == [] and store.attempts() == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_still_gives_what_is_in_it(store, path):
    store.add(FIRST)
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        later = Store(path)
        later.add(Attempt("05/first-row", [2], "guess"))
        assert "cannot be" in later.trouble
        assert [each.round for each in later.attempts("05/first-row")] == [1, 2]
    finally:
        path.parent.chmod(0o700)


def test_on_a_full_disk_earlier_answers_stay_and_the_new_one_is_saved_when_there_is_room(
    store, path, monkeypatch
):
    first = store.add(FIRST)
    real, full = module.connect, [True]

    def connect(path, patience):
        connection = real(path, patience)
        if full:  # SQLite then finds no room for another page, as on a full disk
            connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(module, "connect", connect)
    long = Attempt("05/first-row", [2], "guess", "because " * 2000)
    second = store.add(long)
    assert "the disk is full" in store.trouble
    assert store.attempts("05/first-row") == [first, second] and second.round == 2
    assert Store(path).attempts("05/first-row") == [first]
    full.clear()
    third = store.add(Attempt("05/first-row", [3], "guess"))
    assert store.trouble == ""
    assert Store(path).attempts("05/first-row") == [first, second, third]


def test_words_that_had_to_wait_reach_an_attempt_that_is_in_the_file(store, path, monkeypatch):
    saved = store.add(FIRST)

    def refuses(path):
        raise PermissionError(13, "read-only home")

    with monkeypatch.context() as patch:
        patch.setattr(module, "make", refuses)
        assert store.say_afterwards(saved, "later")
        assert "cannot be opened for writing" in store.trouble
        assert store.latest("05/first-row").afterwards == "later"
        assert len(store.attempts("05/first-row")) == 1
        store.add_reveal(Reveal("05/first-row", saved.id, [1], "same"))
    assert Store(path).latest("05/first-row").afterwards == ""
    store.add(Attempt("05/hotter", [1], "guess"))
    assert Store(path).latest("05/first-row").afterwards == "later"
    assert Store(path).was_revealed("05/first-row")


def test_an_attempt_that_waited_keeps_what_it_had_seen_and_takes_the_next_free_round(
    store, path, monkeypatch
):
    def refuses(path):
        raise PermissionError(13, "read-only home")

    with monkeypatch.context() as patch:
        patch.setattr(module, "make", refuses)
        waited = store.add(FIRST)
        store.add_reveal(Reveal("05/first-row", waited.id, [1], "same"))
    Store(path).add(Attempt("05/first-row", [9], "guess"))
    store.add(Attempt("05/hotter", [1], "guess"))
    kept = Store(path).attempts("05/first-row")
    assert [(each.answer, each.round, each.seen) for each in kept] == [
        ([9], 1, False),
        ([1, 0, 0, 0], 2, False),
    ]

"""Forgetting removes the learner's record when they say so, and nothing else."""

import pytest

from attn_lab import cli
from attn_lab.record import Attempt, TaskResult, open_store


@pytest.fixture
def store(own_store):
    """An empty store of the test's own."""
    return open_store()


def test_forgetting_asks_first_and_no_means_no(store, capsys, monkeypatch):
    store.add(Attempt("05/first-row", [1, 0, 0, 0], "guess"))
    for reply in ("", "y", "no"):
        monkeypatch.setattr("builtins.input", lambda _, reply=reply: reply)
        assert cli.main(["forget"]) == 1
    assert "Nothing was deleted." in capsys.readouterr().out
    assert len(store.attempts()) == 1


def test_forgetting_where_nobody_can_answer_deletes_nothing(store, monkeypatch):
    store.add(Attempt("05/first-row", [1, 0, 0, 0], "guess"))

    def nobody(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", nobody)
    assert cli.main(["forget"]) == 1
    assert store.path.exists()


def test_a_typed_yes_deletes_and_says_what(store, capsys, monkeypatch):
    store.add(Attempt("05/first-row", [1, 0, 0, 0], "guess"))
    for tries in range(2):
        store.add_task(TaskResult("01/softmax-row", bool(tries)))
    monkeypatch.setattr("builtins.input", lambda _: "yes")
    assert cli.main(["forget"]) == 0
    said = capsys.readouterr().out
    assert f"This deletes 1 prediction and 2 task results in {store.path}." in said
    assert "already shown stay in the notebooks that you saved" in said
    assert f"Deleted {store.path}" in said
    assert not store.path.exists()


def test_yes_on_the_command_line_does_not_ask(store, capsys):
    store.add(Attempt("05/first-row", [1, 0, 0, 0], "guess"))
    assert cli.main(["forget", "--yes"]) == 0
    assert not store.path.exists()
    assert cli.main(["forget", "--yes"]) == 0
    assert "There was nothing to delete" in capsys.readouterr().out


def test_a_file_that_is_not_ours_is_left_alone_and_said(tmp_path, monkeypatch, capsys):
    notes = tmp_path / "t.txt"
    notes.write_text("my notes\n" * 500)
    monkeypatch.setenv("ATTN_LAB_STORE", str(notes))
    assert cli.main(["forget", "--yes"]) == 0
    said = capsys.readouterr().out
    assert said == f"Left alone {notes}: it is not a file of attn_lab.\n"
    assert [each.name for each in tmp_path.iterdir()] == ["t.txt"]
    assert notes.read_text() == "my notes\n" * 500


def test_a_store_that_cannot_be_looked_at_is_not_called_missing(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / ("x" * 300)))
    assert cli.main(["forget", "--yes"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Nothing could be deleted: ") and "cannot be looked at" in said

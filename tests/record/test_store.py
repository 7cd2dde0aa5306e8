"""What is added is there again for the next kernel, with its round and what had been seen."""

import json
import sqlite3
import stat

import pytest

from attn_lab import __version__
from attn_lab.record import CONFIDENCES, Attempt, Reveal, Store, TaskResult, open_store
from attn_lab.record.history import made

FIRST = Attempt("05/first-row", [1, 0, 0, 0], "certain", "only key 1")


def test_an_attempt_comes_back_for_the_next_kernel_with_everything_in_it(path):
    saved = Store(path).add(FIRST)
    assert Store(path).attempts("05/first-row") == [saved]
    assert (saved.round, saved.seen, saved.answer) == (1, False, [1, 0, 0, 0])
    assert (saved.confidence, saved.because) == ("certain", "only key 1")
    assert (saved.version, saved.afterwards, saved.sent) == (__version__, "", "")
    assert saved.time.endswith("+00:00") and len(saved.id) == 36


def test_one_row_stands_for_one_attempt_in_the_file(store, path):
    store.add(FIRST)
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT exercise, round, seen, answer, confidence FROM attempts")
        assert rows.fetchall() == [("05/first-row", 1, 0, "[1, 0, 0, 0]", "certain")]
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()


def test_rounds_are_counted_for_each_exercise_alone(store):
    store.add(FIRST)
    store.add(Attempt("05/hotter", [[0]], "guess"))
    second = store.add(Attempt("05/first-row", [0.5, 0.5, 0, 0], "guess"))
    assert second.round == 2
    assert [each.round for each in store.attempts("05/first-row")] == [1, 2]
    assert store.latest("05/first-row") == second
    assert store.latest("05/never") is None
    assert len(store.attempts()) == 3


def test_an_attempt_after_its_result_was_shown_is_marked_as_seen(store):
    first = store.add(FIRST)
    assert not store.was_revealed("05/first-row")
    store.add_reveal(Reveal("05/first-row", first.id, [1, 0, 0, 0], "same"))
    assert store.was_revealed("05/first-row") and not store.was_revealed("05/hotter")
    assert store.add(Attempt("05/first-row", [1, 0, 0, 0], "certain")).seen
    assert not store.add(Attempt("05/hotter", [[0]], "guess")).seen
    assert not store.attempts("05/first-row")[0].seen


def test_the_same_reveal_is_noted_once_and_another_value_again(store):
    first = store.add(FIRST)
    for computed in ([1, 0, 0, 0], [1, 0, 0, 0], [0.9, 0.1, 0, 0]):
        store.add_reveal(Reveal("05/first-row", first.id, computed, "same"))
    shown = store.reveals("05/first-row")
    assert [each.computed for each in shown] == [[1, 0, 0, 0], [0.9, 0.1, 0, 0]]


def test_a_nan_that_is_shown_again_is_noted_once(store):
    first = store.add(FIRST)
    for _ in range(2):
        store.add_reveal(Reveal("05/first-row", first.id, [float("nan"), 0.0], "different"))
    assert len(store.reveals("05/first-row")) == 1


def test_the_words_said_afterwards_stand_beside_the_first_ones(store, path):
    saved = store.add(FIRST)
    assert store.say_afterwards(saved, "the mask leaves one key")
    again = Store(path).latest("05/first-row")
    assert (again.because, again.afterwards) == ("only key 1", "the mask leaves one key")


def test_what_a_grader_said_is_kept_in_the_same_file(store, path):
    store.add_task(TaskResult("causal_mask", False, "axes_swapped", "row 1 reads key 2"))
    store.add_task(TaskResult("causal_mask", True))
    results = Store(path).tasks("causal_mask")
    assert [each.passed for each in results] == [False, True]
    assert results[0].mistake == "axes_swapped" and results[0].message == "row 1 reads key 2"
    assert Store(path).tasks("attention") == []


def test_the_state_of_sending_is_kept(store, path):
    saved = store.add(Attempt("05/first-row", [1], "guess", sent="waiting"))
    assert store.mark_sent(saved, "sent")
    assert Store(path).latest("05/first-row").sent == "sent"


def test_reading_makes_no_file(store, path):
    assert store.attempts() == [] and store.trouble == ""
    assert not path.parent.exists()


def test_only_its_owner_can_read_the_file(store, path):
    store.add(FIRST)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_forget_leaves_nothing_and_says_what_it_removed(store, path):
    saved = store.add(FIRST)
    aside = path.parent / "predictions.sqlite.damaged-20260101-000000"
    aside.write_bytes(path.read_bytes()[:5000])
    (path.parent / "notes.txt").write_text("the learner's own")
    removed = store.forget()
    assert [each.name for each in removed] == [
        "predictions.sqlite",
        "predictions.sqlite.damaged-20260101-000000",
    ]
    assert [each.name for each in path.parent.iterdir()] == ["notes.txt"]
    assert store.attempts() == []
    assert not store.say_afterwards(saved, "later"), "what is forgotten does not come back"
    assert store.attempts() == []


def test_an_attempt_that_is_forgotten_as_it_is_saved_is_returned_all_the_same(store, monkeypatch):
    write = store._write

    def forgets(*work):
        written = write(*work)
        store.forget()  # as `attn-lab forget` does from a terminal
        return written

    monkeypatch.setattr(store, "_write", forgets)
    assert store.add(FIRST).answer == FIRST.answer and store.attempts() == []


def test_text_of_any_language_and_any_quote_comes_back(store, path):
    words = "weil √d_k 'kleiner' ist; \"größer\" – 鍵 \x00 ); DROP TABLE attempts; --"
    store.add(Attempt("05/first-row", "unchanged", "guess", words))
    assert Store(path).latest("05/first-row").because == words


def test_confidence_has_three_steps():
    assert CONFIDENCES == ("guess", "fairly sure", "certain")


def test_one_store_object_serves_one_file(monkeypatch, tmp_path):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "a.sqlite"))
    first = open_store()
    assert open_store() is first
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "b.sqlite"))
    assert open_store() is not first and open_store().path == tmp_path / "b.sqlite"


@pytest.mark.parametrize("answer", ["unchanged", [0.25, 1e-9], [[0, 1], [1, 0]], [2, 8, 10, 10]])
def test_every_form_of_answer_comes_back_equal(store, path, answer):
    store.add(Attempt("05/x", answer, "guess"))
    assert Store(path).latest("05/x").answer == answer
    assert json.dumps(Store(path).latest("05/x").answer) == json.dumps(answer)


def test_the_order_is_that_of_the_rows_though_the_clock_was_set_back(store, path):
    days = ("2026-01-03T00:00:00+00:00", "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00")
    for n, day in enumerate(days):
        store.add(Attempt("05/hotter" if n == 1 else "05/first-row", [n], "guess", time=day))
        store.add_task(TaskResult("04/causal-mask", n == 1, time=day))
        store.add_reveal(Reveal("05/hotter", f"attempt {n}", n, "same", time=day))
    kept = Store(path)
    assert [each.answer for each in kept.attempts()] == [[0], [1], [2]]
    assert [each.computed for each in kept.reveals()] == [0, 1, 2]
    assert made(kept.tasks())[0].way == "passed after 2 tries"

"""The count of predictions that agreed comes from the record, and from unseen answers alone."""

import pytest

from attn_lab.predict import ask
from attn_lab.predict.evidence import compared
from attn_lab.predict.so_far import agreed_so_far
from attn_lab.record import open_store


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.delenv("ATTN_LAB_REVEAL", raising=False)


def predict(id: str, answer, computed) -> None:
    exercise = ask(id)
    exercise.commit(answer, confidence="guess", again=True)
    exercise.reveal(computed)


def test_nothing_predicted_counts_nothing():
    assert agreed_so_far("01") == 0


def test_agreeing_and_close_predictions_count_and_others_do_not():
    predict("01/zero-score", "third", "third")
    predict("01/two-weights", [0.668, 0.332], [0.6698, 0.3302])
    predict("01/weighted-sum", [10, 0], [6.7, 6.6])
    assert agreed_so_far("01") == 2


def test_a_committed_prediction_counts_only_once_it_has_been_compared():
    ask("01/zero-score").commit("third", confidence="certain")
    assert agreed_so_far("01") == 0


def test_an_answer_given_after_the_result_does_not_count():
    predict("01/zero-score", "none", "third")
    predict("01/zero-score", "third", "third")
    assert agreed_so_far("01") == 0


def test_a_second_answer_given_before_the_result_does_count():
    ask("01/zero-score").commit("none", confidence="guess")
    predict("01/zero-score", "third", "third")
    assert agreed_so_far("01") == 1


def test_running_a_changed_cell_again_changes_no_count():
    predict("01/zero-score", "third", "third")
    predict("01/two-weights", [1, 0], [0.6698, 0.3302])
    ask("01/zero-score").reveal("none")
    ask("01/two-weights").reveal([1.0, 0.0])
    assert agreed_so_far("01") == 1
    found = compared(open_store().attempts(), open_store().reveals())
    assert {each.attempt.exercise: each.agrees for each in found} == {
        "01/zero-score": True,
        "01/two-weights": False,
    }


def test_other_notebooks_do_not_count():
    predict("01/zero-score", "third", "third")
    assert agreed_so_far("05") == 0


def test_the_record_is_not_read_while_results_are_always_shown(monkeypatch):
    predict("01/zero-score", "third", "third")
    monkeypatch.setenv("ATTN_LAB_REVEAL", "always")
    assert agreed_so_far("01") == 0

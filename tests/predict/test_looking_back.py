"""The look back: surprises first, then counts, only from what was predicted unseen."""

from pathlib import Path

import pytest

from attn_lab.predict import ask
from attn_lab.predict.evidence import by_confidence, compared, to_revisit
from attn_lab.predict.looking_back import EMPTY, TITLE, file_name, looking_back
from attn_lab.record import TaskResult, open_store


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.delenv("ATTN_LAB_REVEAL", raising=False)


def predict(id, answer, computed, confidence="guess", because=""):
    exercise = ask(id)
    exercise.commit(answer, confidence=confidence, because=because, again=True)
    exercise.reveal(computed)


def gathered():
    store = open_store()
    return compared(store.attempts(), store.reveals())


def test_an_empty_record_says_so():
    assert repr(looking_back()) == f"{TITLE}\n{EMPTY}"


def test_a_certain_prediction_that_differed_is_told_first_with_its_own_words():
    predict("10/divisor", [64], [16], "certain", "four heads")
    predict("05/first-row", [1, 0, 0, 0], [1, 0, 0, 0], "certain")
    text = repr(looking_back()).splitlines()
    assert text[0] == TITLE
    assert text[1].startswith("One surprise worth a second look")
    assert "four heads" in text[2]
    assert text[2].startswith("- 10/divisor: you said ")
    assert text[2].partition("computed: ")[2].endswith("16")


def test_confidence_stands_against_agreement_as_counts_and_dots():
    predict("05/first-row", [1, 0, 0, 0], [1, 0, 0, 0], "certain")
    predict("10/divisor", [64], [16], "certain")
    predict("07/how-many-weights", "eighth", "same", "guess")
    text = repr(looking_back())
    assert "When you said certain, 1 of 2 agreed: ●○" in text
    assert "When you said guess, 0 of 1 agreed: ○" in text
    assert "fairly sure" not in text
    assert "%" not in text


def test_an_answer_given_after_its_result_is_no_evidence():
    predict("07/how-many-weights", "eighth", "same", "certain")
    predict("07/how-many-weights", "same", "same", "certain")
    assert [each.agrees for each in gathered()] == [False]


def test_a_second_answer_given_before_the_result_is_the_one_that_counts():
    ask("07/how-many-weights").commit("eighth", confidence="certain")
    predict("07/how-many-weights", "same", "same", "guess")
    assert [(each.agrees, each.attempt.confidence) for each in gathered()] == [(True, "guess")]


def test_a_prediction_whose_result_was_never_shown_is_left_out():
    ask("07/how-many-weights").commit("eighth", confidence="certain")
    assert gathered() == []


def test_notebooks_to_revisit_come_by_surprises_then_by_differences():
    predict("05/first-row", [0.25] * 4, [1, 0, 0, 0], "guess")
    predict("05/very-hot", [0.25] * 4, [1 / 3, 1 / 3, 1 / 3, 0], "guess")
    predict("10/divisor", [64], [16], "certain")
    predict("07/how-many-weights", "same", "same", "certain")
    assert to_revisit(gathered()) == [("10", 1, 1, 1), ("05", 2, 2, 0)]
    text = repr(looking_back())
    assert "10_check_your_understanding.ipynb: 1 of 1 differed, 1 of them certain" in text
    assert "07_heads" not in text


def test_all_agreed_means_nothing_to_revisit_and_no_surprise():
    predict("07/how-many-weights", "same", "same", "certain")
    text = repr(looking_back())
    assert "Nothing that you were certain of came out differently." in text
    assert "every prediction agreed" in text


def test_the_words_of_the_learner_cannot_break_the_page():
    predict("10/divisor", [64], [16], "certain", "<script>alert(1)</script>")
    html = looking_back()._repr_mimebundle_()["text/html"]
    assert "<script>" not in html
    assert 'href="10_check_your_understanding.ipynb"' in html
    assert html.startswith(f"{TITLE}\n")


def test_an_exercise_that_is_gone_from_the_course_is_passed_over():
    from attn_lab.record import Attempt, Reveal

    store = open_store()
    saved = store.add(Attempt("05/no-longer-there", [1], "certain"))
    store.add_reveal(Reveal("05/no-longer-there", saved.id, [2], "different"))
    assert repr(looking_back()) == f"{TITLE}\n{EMPTY}"


def test_the_record_is_not_read_while_results_are_always_shown(monkeypatch):
    predict("10/divisor", [64], [16], "certain")
    monkeypatch.setenv("ATTN_LAB_REVEAL", "always")
    assert repr(looking_back()) == f"{TITLE}\n{EMPTY}"


def test_the_rows_of_confidence_go_from_certain_to_guess():
    assert list(by_confidence([])) == ["certain", "fairly sure", "guess"]


def test_a_notebook_s_file_is_its_number_and_title():
    assert file_name("02") == "02_queries_keys_values.ipynb"
    for path in (Path(__file__).parents[2] / "notebooks").glob("*.ipynb"):
        assert file_name(path.name[:2]) == path.name


def test_tasks_are_looked_back_at_with_the_mistakes_met_and_a_link():
    open_store().add_task(TaskResult("04/causal-mask", False, "mask_all_true"))
    open_store().add_task(TaskResult("04/causal-mask", True))
    shown = looking_back()
    said = "passed after 2 tries; met on the way: mask all true"
    assert repr(shown).splitlines()[1:] == ["The code that you made:", f"- 04/causal-mask: {said}"]
    assert f'<a href="04_the_causal_boundary.ipynb">04/causal-mask</a>: {said}' in shown.html


def test_tasks_come_after_predictions():
    open_store().add_task(TaskResult("04/causal-mask", True))
    predict("05/first-row", [1, 0, 0, 0], [1, 0, 0, 0], "certain")
    assert repr(looking_back()).splitlines()[-2] == "The code that you made:"

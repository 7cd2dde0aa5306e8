"""The summary waits for its predictions; the counts and the look back take unseen ones alone."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from attn_lab.course.questions import Notebook
from attn_lab.predict import ask, closing, summary
from attn_lab.predict.ask import Exercise
from attn_lab.predict.closing import EMPTY, LOOKED_BACK, agreed_so_far, file_name, looking_back
from attn_lab.record import Attempt, Reveal, TaskResult, open_store

from ..helpers.questions import CHOICE, NUMBERS, SHAPE

BOOK = Notebook(
    "05",
    "Mask",
    "What?",
    30,
    ("Row 1 is forced.", "Temperature < order."),
    (NUMBERS, replace(CHOICE, depth="core"), replace(SHAPE, depth="extra")),
)


@pytest.fixture
def book(monkeypatch):
    monkeypatch.setattr(closing, "notebook", lambda number: BOOK)


def predict(id, answer, computed, confidence="guess", because=""):
    exercise = ask(id)
    exercise.commit(answer, confidence=confidence, because=because, again=True)
    exercise.reveal(computed)


def test_it_names_what_is_open_and_says_nothing_of_what_was_shown(shown, book):
    summary("05")
    lines = repr(shown[0]).split("\n")
    assert lines == [
        "What this notebook showed",
        "Still to do before the summary is shown:",
        "- 05/first-row: write a prediction",
        "- 01/minus-max: write a prediction",
    ]
    assert shown[0].html.split("\n")[0] == "What this notebook showed"
    assert "forced" not in shown[0].html and "split-shape" not in shown[0].html


def test_a_prediction_that_was_not_compared_is_still_open(shown, book):
    Exercise(NUMBERS).commit([1, 0, 0, 0], "guess")
    shown.clear()
    summary("05")
    assert "- 05/first-row: run the cell that compares it" in repr(shown[0])


def test_it_is_shown_once_all_but_the_extras_are_done(shown, book):
    for question, answer in ((NUMBERS, [1, 0, 0, 0]), (CHOICE, "same")):
        Exercise(question).commit(answer, "guess")
        Exercise(question).reveal(answer)
    shown.clear()
    summary("05")
    assert repr(shown[0]) == (
        "What this notebook showed\n- Row 1 is forced.\n- Temperature < order."
    )
    assert "<li>Temperature &lt; order.</li>" in shown[0].html
    assert "<h" not in shown[0].html


def test_always_shows_it(shown, always, book):
    summary("05")
    assert "- Row 1 is forced." in repr(shown[0])


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


def test_other_notebooks_do_not_count():
    predict("01/zero-score", "third", "third")
    assert agreed_so_far("05") == 0


def test_nothing_is_counted_while_results_are_always_shown(monkeypatch):
    predict("01/zero-score", "third", "third")
    monkeypatch.setenv("ATTN_LAB_REVEAL", "always")
    assert agreed_so_far("01") == 0


def test_an_empty_record_says_so():
    assert repr(looking_back()) == f"{LOOKED_BACK}\n{EMPTY}"


def test_a_certain_prediction_that_differed_is_told_first_with_its_own_words():
    predict("10/divisor", [64], [16], "certain", "four heads")
    predict("05/first-row", [1, 0, 0, 0], [1, 0, 0, 0], "certain")
    text = repr(looking_back()).splitlines()
    assert text[0] == LOOKED_BACK
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


def test_notebooks_to_revisit_come_by_surprises_then_by_differences():
    predict("05/first-row", [0.25] * 4, [1, 0, 0, 0], "guess")
    predict("05/very-hot", [0.25] * 4, [1 / 3, 1 / 3, 1 / 3, 0], "guess")
    predict("10/divisor", [64], [16], "certain")
    predict("07/how-many-weights", "same", "same", "certain")
    text = repr(looking_back())
    assert (
        "- 10_check_your_understanding.ipynb: 1 of 1 differed, 1 of them certain\n"
        "- 05_mask_and_temperature.ipynb: 2 of 2 differed"
    ) in text
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
    assert html.startswith(f"{LOOKED_BACK}\n")


def test_an_exercise_that_is_gone_from_the_course_is_passed_over():
    store = open_store()
    saved = store.add(Attempt("05/no-longer-there", [1], "certain"))
    store.add_reveal(Reveal("05/no-longer-there", saved.id, [2], "different"))
    assert repr(looking_back()) == f"{LOOKED_BACK}\n{EMPTY}"


def test_the_record_is_not_read_while_results_are_always_shown(monkeypatch):
    predict("10/divisor", [64], [16], "certain")
    monkeypatch.setenv("ATTN_LAB_REVEAL", "always")
    assert repr(looking_back()) == f"{LOOKED_BACK}\n{EMPTY}"


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

"""Learning: what a head gets right, and how "bank" reads, step by step."""

import pytest

from attn_lab.explore.learning import LAST, SHOWN, learning, trained
from attn_lab.models.bank_findings import look
from attn_lab.models.bank_sentences import sentences
from attn_lab.models.bank_weights import load_counts
from tests.helpers.panels import move, press, said


@pytest.fixture
def panel():
    return learning(seed=16).panel()


def test_every_step_counts_what_the_shipped_training_counts(panel):
    right = load_counts()["right"][16]
    for step in (0, 10, 20, 30, LAST):
        move(panel, "step", step)
        assert said(panel).startswith(f"Step {step}: {int(right[step])} of 56 right.")


def test_the_output_is_the_sum_of_weight_times_value(panel):
    move(panel, "step", 50)
    answer = float(look(trained(16)[50], sentences()).answers[SHOWN[0]])
    shown = said(panel, "shown").replace("−", "-")
    assert f"together that makes {answer:.2f}" in shown
    assert f"{answer:.2f}: the money's bank, right." in said(panel).replace("−", "-")


def test_a_preset_goes_to_a_head_that_is_right_while_its_row_is_even(panel):
    press(panel, "right before the map shows it")
    assert panel.values == {"step": 20, "seed": 16, "sentence": SHOWN[0]}
    assert "56 of 56 right" in said(panel)
    row = look(trained(16)[20], sentences()).rows[SHOWN[0]]
    assert row.max() < 0.25


def test_a_preset_shows_another_head_that_reads_the_context_word_alone(panel):
    press(panel, "another head, as sharp")
    assert panel.values == {"step": 100, "seed": 7, "sentence": SHOWN[0]}
    assert "56 of 56 right" in said(panel)
    assert look(trained(7)[100], sentences()).context[SHOWN[0]] > 0.95


def test_a_preset_shows_bank_reading_itself(panel):
    press(panel, "right without the word")
    assert "“bank” reads “bank” with 0.90" in said(panel, "shown")


def test_another_sentence_is_read_by_the_same_head(panel):
    move(panel, "sentence", SHOWN[2])
    assert "credit" not in said(panel, "shown") and "money" in said(panel, "shown")


def test_a_head_that_is_none_of_the_twenty_is_refused():
    with pytest.raises(ValueError, match="seed: expected 0 to 19, got 20"):
        learning(seed=20)

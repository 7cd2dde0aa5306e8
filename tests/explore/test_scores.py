"""Scores: what a constant leaves and a factor changes."""

import pytest
import torch

from attn_lab.explore.scores import STEPS, scores
from tests.helpers.panels import move, press, said


@pytest.fixture
def panel():
    return scores([2, 1, 0]).panel()


def test_the_weights_are_the_softmax_of_the_scores(panel):
    shown = said(panel, "shown").split()
    for weight in torch.tensor([2.0, 1.0, 0.0]).double().softmax(0):
        assert f"{weight:.3f}" in shown
    assert said(panel) == "Key 1 has the largest weight, 0.67; they add to 1.00."


def test_a_constant_changes_no_weight_and_a_factor_does(panel):
    before = said(panel, "shown").split()
    press(panel, "100 on every score")
    moved = said(panel, "shown").split()
    assert "102.0" in moved and [x for x in moved if x.startswith("0.")] == [
        x for x in before if x.startswith("0.") and x != "0.0"
    ]
    press(panel, "8 times every score")
    assert said(panel).startswith("Key 1 has the largest weight, 1.00")
    press(panel, "0 times every score")
    assert said(panel).startswith("All weights are equal")


def test_a_moved_slider_is_a_moved_score(panel):
    move(panel, "key 3", STEPS.index(3.5))
    assert said(panel).startswith("Key 3 has the largest weight")


def test_what_is_added_and_multiplied_is_chosen_by_its_number(panel):
    move(panel, "added", -100)
    assert panel.values["added"] == -100 and "−98.0" in said(panel, "shown")
    move(panel, "factor", 0.5)
    assert "−99.0" in said(panel, "shown").split() and "−100.0" in said(panel, "shown").split()


def test_scores_that_no_slider_reaches_are_refused():
    with pytest.raises(ValueError, match=r"at most 6 scores from −5 to 5.*got .*9"):
        scores([9, 0])

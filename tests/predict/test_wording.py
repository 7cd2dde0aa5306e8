"""The sentences speak of the prediction, never of the person, and judge nobody."""

import itertools
import re

import pytest

from attn_lab.predict.verdicts import compare
from attn_lab.predict.wording import feedback
from attn_lab.record import CONFIDENCES, Attempt

from .conftest import CELLS, CHOICE, NUMBERS, SHAPES

ROW = [0.284, 0.576, 0.140, 0.0]
CASES = [
    (NUMBERS, ROW, ROW),
    (NUMBERS, [0.3, 0.55, 0.15, 0], ROW),
    (NUMBERS, [0.2, 0.6, 0.1, 0], ROW),
    (NUMBERS, [0.245, 0.665, 0.09, 0], ROW),
    (NUMBERS, [0.27, 0, 0, 0], ROW),
    (NUMBERS, [0.6, 0.3, 0.1, 0], ROW),
    (CHOICE, "same", "same"),
    (CHOICE, "smaller", "same"),
    (CHOICE, "odd", "same"),
    (CELLS, [[1, 1], [1, 1]], [[1, 0], [1, 1]]),
    (CELLS, [[0, 0], [0, 0]], [[1, 0], [1, 1]]),
    (SHAPES, [[3, 3], [5, 4]], [[5, 5], [5, 4]]),
]


def say(question, predicted, computed, confidence="fairly sure", because="", seen=False):
    attempt = Attempt(question.id, predicted, confidence, because, 1, seen)
    return feedback(question, attempt, compare(question, predicted, computed))


@pytest.mark.parametrize("case,confidence", list(itertools.product(CASES, CONFIDENCES)))
def test_no_sentence_judges_addresses_or_cheers(case, confidence):
    text = " ".join(say(*case, confidence, "so"))
    assert text and "!" not in text
    for word in ("you", "your", "wrong", "right", "incorrect", "unfortunately", "oops", "great"):
        assert not re.search(rf"\b{word}\b", text, re.IGNORECASE), word


def test_a_surprise_is_named_as_one_only_where_the_prediction_was_certain():
    certain, sure, guess = (say(CHOICE, "smaller", "same", each)[0] for each in CONFIDENCES[::-1])
    assert "surprise" in certain and "surprise" not in sure + guess
    assert guess.startswith("It was a guess")
    assert sure == "The computation differs from the prediction."


def test_a_guess_that_agrees_is_named_as_a_guess():
    assert say(CHOICE, "same", "same", "guess")[0].startswith("Same as computed, from a guess.")
    assert say(CHOICE, "same", "same", "certain")[0] == "Same as computed."


def test_every_option_gets_its_sentence_and_a_known_rule_is_followed_up():
    assert "Someone who picks this sees a factor." in say(CHOICE, "same", "same")
    said = say(CHOICE, "smaller", "same")
    assert "Someone who picks this sees parts." in said
    assert said[-1] == (
        "The prediction follows the rule “zero it afterwards”. It holds without a sum. "
        "Check: What adds?"
    )
    assert "rule “" not in " ".join(say(CHOICE, "odd", "same"))


def test_a_prediction_that_agrees_follows_no_mistaken_rule():
    assert "rule “" not in " ".join(say(CHOICE, "smaller", "smaller"))


def test_first_what_agrees_then_what_differs():
    said = say(NUMBERS, [0.29, 0.3, 0.41, 0], ROW)
    assert "They agree at key 1 and key 4. They differ at key 2 and key 3, most at key 2." in said
    assert said[-1].startswith("Which step would have to be different")
    cells = say(CELLS, [[0, 0], [0, 1]], [[1, 0], [1, 1]])
    assert (
        "They agree in 2 of 4 cells. "
        "They differ here: query 1 reads key 1; query 2 reads key 1." in cells
    )


def test_the_right_pattern_and_its_mistake_are_said_together():
    said = say(NUMBERS, [0.245, 0.665, 0.09, 0], ROW)
    assert said[0] == "Order and zeros agree; the sizes differ by up to 0.09."
    assert "Without the root it is this." in said and "rule “zero it afterwards”" in said[-1]


def test_close_says_how_close():
    assert say(NUMBERS, [0.3, 0.55, 0.15, 0], ROW)[0] == (
        "Within 0.03 of what was computed: close enough to reason with."
    )


def test_reasons_are_compared_where_the_numbers_agree():
    assert any("reason" in each for each in say(CHOICE, "same", "same", because="a factor"))
    assert not any("reason" in each for each in say(CHOICE, "same", "same"))


def test_an_attempt_after_the_result_says_so():
    assert "after the result had been shown" in say(CHOICE, "same", "same", seen=True)[-1]


def test_many_places_are_shortened():
    from dataclasses import replace

    long = replace(NUMBERS, labels=tuple(f"key {n}" for n in range(1, 11)), near_misses=())
    said = say(long, [1] * 10, [0] * 10)
    assert "They differ at key 1, key 2, key 3, key 4 and 6 more, most at key 1." in said

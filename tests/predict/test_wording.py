"""The sentences speak of the prediction, never of the person, and judge nobody."""

import itertools
import re

import pytest
from msgspec.structs import replace

from attn_lab.course.questions import questions
from attn_lab.predict.wording import feedback
from attn_lab.record import CONFIDENCES, Attempt

from ..helpers.questions import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES

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
    return feedback(question, attempt, question.compare(predicted, computed))


@pytest.mark.parametrize("case,confidence", list(itertools.product(CASES, CONFIDENCES)))
def test_no_sentence_judges_addresses_or_cheers(case, confidence):
    text = " ".join(say(*case, confidence, "so"))
    assert text and "!" not in text
    for word in ("you", "your", "wrong", "right", "incorrect", "unfortunately", "oops", "great"):
        assert not re.search(rf"\b{word}\b", text, re.IGNORECASE), word


def test_a_second_look_is_suggested_only_where_the_prediction_was_certain():
    certain, sure, guess = (say(CHOICE, "smaller", "same", each)[0] for each in CONFIDENCES[::-1])
    assert certain == (
        "The prediction was certain, and the computation says something else: "
        "this one is worth a second look."
    )
    assert "certain" not in sure + guess
    assert guess.startswith("It was a guess")
    assert sure == "The computation differs from the prediction."


def test_a_guess_that_agrees_is_named_as_a_guess():
    assert say(CHOICE, "same", "same", "guess")[0].startswith("Same as computed, from a guess.")
    assert say(CHOICE, "same", "same", "certain")[0] == "Same as computed."


def test_every_option_gets_its_sentence_and_a_known_rule_is_followed_up():
    assert "This is the answer of someone who sees a factor." in say(CHOICE, "same", "same")
    said = say(CHOICE, "smaller", "same")
    assert "This is the answer of someone who sees parts." in said
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
        "Computed, not predicted: query 1 reads key 1; query 2 reads key 1." in cells
    )


def test_cells_that_differ_are_said_of_the_side_that_has_them():
    both = say(CELLS, [[0, 1], [1, 0]], [[1, 0], [1, 1]])[1]
    assert both == (
        "They agree in 1 of 4 cells. Predicted, not computed: query 1 reads key 2. "
        "Computed, not predicted: query 1 reads key 1; query 2 reads key 2."
    )
    more = say(CELLS, [[1, 1], [1, 1]], [[1, 0], [1, 1]])[1]
    assert more == "They agree in 3 of 4 cells. Predicted, not computed: query 1 reads key 2."


def test_no_largest_difference_is_named_where_two_are_printed_alike():
    two = replace(NUMBERS, labels=("key 1", "key 2"), near_misses=())
    tied = say(two, [0.1, 0.9], [0.7045, 0.2955])
    assert "They differ at key 1 and key 2." in tied
    apart = say(two, [0.1, 0.899], [0.7045, 0.2955])
    assert "They differ at key 1 and key 2, most at key 1." in apart


def test_a_size_is_rounded_as_in_the_table():
    two = replace(NUMBERS, labels=("key 1", "key 2"), near_misses=())
    assert say(two, [0.95, 0.05], [0.656, 0.344])[0].endswith("differ by up to 0.294.")
    assert say(two, [10, 5], [66.976, 33.1])[0].endswith("differ by up to 56.98.")
    assert say(two, [4, 2], [16.0, 8.0])[0].endswith("differ by up to 12.")


def test_a_step_is_asked_for_only_where_an_answer_has_several_numbers():
    steps = "Which step would have to be different for the prediction to come out?"
    count = replace(NUMBERS, labels=("right",), near_misses=(), sums_to_one=False)
    assert steps not in say(count, [4], [2])
    assert steps in say(NUMBERS, [0.29, 0.3, 0.41, 0], ROW)
    assert steps in say(CELLS, [[0, 0], [0, 1]], [[1, 0], [1, 1]])
    assert steps in say(SHAPE, [3], [2, 8])


def test_a_row_that_does_not_add_to_1_is_told_so():
    told = "The predicted numbers add to 1.10; a row of weights adds to 1."
    assert told in say(NUMBERS, [0.3, 0.5, 0.3, 0], ROW)
    assert "add to 0.97" in " ".join(say(NUMBERS, [0.28, 0.55, 0.14, 0], ROW))
    assert not any("add to" in each for each in say(NUMBERS, [0.28, 0.56, 0.14, 0], ROW))
    free = replace(NUMBERS, sums_to_one=False)
    assert not any("add to" in each for each in say(free, [0.3, 0.5, 0.3, 0], ROW))


def test_the_right_pattern_and_its_mistake_are_said_together():
    said = say(NUMBERS, [0.245, 0.665, 0.09, 0], ROW)
    assert said[0] == "Order and zeros agree; the sizes differ by up to 0.089."
    assert "Without the root it is this." in said and "rule “zero it afterwards”" in said[-1]


def test_zeros_are_mentioned_only_where_there_are_any():
    two = replace(NUMBERS, labels=("key 1", "key 2"), near_misses=())
    assert say(two, [0.95, 0.05], [0.656, 0.344])[0].startswith("The order agrees; the sizes")
    assert say(two, [0.9, 0], [0.656, 0])[0].startswith("Order and zeros agree; the sizes")


def test_every_sentence_of_the_course_follows_a_choice_in_the_general_form():
    for question in (each for each in questions() if each.kind == "choice"):
        for option in question.options:
            said = say(question, option.key, question.options[0].key)
            (behind,) = [each for each in said if each.startswith("This is the answer of ")]
            assert "Someone who" not in behind and behind.endswith(option.sentence[23:])


def test_close_says_how_close():
    assert say(NUMBERS, [0.3, 0.55, 0.15, 0], ROW)[0] == (
        "Within 0.026 of what was computed: close enough to reason with."
    )


def test_reasons_are_compared_where_the_numbers_agree():
    assert any("reason" in each for each in say(CHOICE, "same", "same", because="a factor"))
    assert not any("reason" in each for each in say(CHOICE, "same", "same"))


def test_an_attempt_after_the_result_says_so():
    assert "after the result had been shown" in say(CHOICE, "same", "same", seen=True)[-1]


def test_many_places_are_shortened():
    long = replace(NUMBERS, labels=tuple(f"key {n}" for n in range(1, 11)), near_misses=())
    said = say(long, [1] * 10, [0] * 10)
    assert "They differ at key 1, key 2, key 3, key 4 and 6 more." in said

"""The sentences speak of the prediction, never of the person, and judge nobody."""

import itertools
import re

import pytest
from msgspec.structs import replace

from attn_lab.course.questions import questions
from attn_lab.predict.wording import SEEN, WHICH_STEP, chip, why
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


def both(question, predicted, computed, confidence="fairly sure", because="", seen=False):
    attempt = Attempt(question.id, predicted, confidence, because, 1, seen)
    verdict = question.compare(predicted, computed)
    return chip(attempt, verdict), why(question, attempt, verdict)


def mark(*case, **more):
    """The chip's word and what is added to it."""
    return both(*case, **more)[0][1:]


def reason(*case):
    return both(*case)[1]


@pytest.mark.parametrize("case,confidence", list(itertools.product(CASES, CONFIDENCES)))
def test_no_sentence_judges_addresses_or_cheers(case, confidence):
    (_, *words), said = both(*case, confidence, "so")
    text = " ".join([*words, *said]).replace("the pattern is right", "")
    assert text and "!" not in text
    for word in ("you", "your", "wrong", "right", "incorrect", "unfortunately", "oops", "great"):
        assert not re.search(rf"\b{word}\b", text, re.IGNORECASE), word


@pytest.mark.parametrize(
    "case,tone,word",
    [
        (CASES[0], "good", "✓ as predicted"),
        (CASES[1], "good", "≈ close"),
        (CASES[2], "near", "◐ the pattern is right"),
        (CASES[4], "other", "≠ something else"),
        (CASES[7], "other", "≠ something else"),
    ],
)
def test_the_chip_says_how_it_came_out_by_icon_word_and_tone(case, tone, word):
    assert both(*case)[0][:2] == (tone, word)
    assert chip(None, None) == ("none", "– no prediction", "")


def test_a_second_look_is_suggested_only_where_the_prediction_was_certain():
    for each in CONFIDENCES:
        more = mark(CHOICE, "smaller", "same", each)[1]
        assert ("worth a second look" in more) == (each == "certain")
    assert mark(CHOICE, "same", "same", "certain")[1] == ""


def test_every_option_gets_its_sentence_and_a_known_rule_is_followed_up():
    assert reason(CHOICE, "same", "same") == ["This is the answer of someone who sees a factor."]
    assert reason(CHOICE, "smaller", "same") == [
        "This is the answer of someone who sees parts.",
        "The rule behind it: “zero it afterwards”. It holds without a sum. Check: What adds?",
    ]
    assert "rule behind" not in " ".join(reason(CHOICE, "odd", "same"))


def test_a_prediction_that_agrees_follows_no_mistaken_rule():
    assert "rule behind" not in " ".join(reason(CHOICE, "smaller", "smaller"))


def test_a_size_is_rounded_as_in_the_table():
    two = replace(NUMBERS, labels=("key 1", "key 2"), near_misses=())
    assert mark(two, [0.95, 0.05], [0.656, 0.344])[1].endswith("differ by up to 0.294.")
    assert mark(two, [10, 5], [66.976, 33.1])[1].endswith("differ by up to 56.98.")
    assert mark(two, [4, 2], [16.0, 8.0])[1].endswith("differ by up to 12.")


def test_a_step_is_asked_for_only_where_an_answer_has_several_numbers():
    count = replace(NUMBERS, labels=("right",), near_misses=(), sums_to_one=False)
    assert WHICH_STEP not in reason(count, [4], [2])
    assert WHICH_STEP in reason(NUMBERS, [0.29, 0.3, 0.41, 0], ROW)
    assert WHICH_STEP in reason(CELLS, [[0, 0], [0, 1]], [[1, 0], [1, 1]])
    assert WHICH_STEP in reason(SHAPE, [3], [2, 8])


def test_a_row_that_does_not_add_to_1_is_told_so():
    told = "The predicted numbers add to 1.10; a row of weights adds to 1."
    assert NUMBERS.remark([0.3, 0.5, 0.3, 0]) == told
    assert "add to 0.97" in NUMBERS.remark([0.28, 0.55, 0.14, 0])
    assert NUMBERS.remark([0.28, 0.56, 0.14, 0]) == ""
    assert replace(NUMBERS, sums_to_one=False).remark([0.3, 0.5, 0.3, 0]) == ""


def test_the_right_pattern_and_its_mistake_are_said_together():
    word, more = mark(NUMBERS, [0.245, 0.665, 0.09, 0], ROW)
    assert "pattern" in word and more == "The sizes differ by up to 0.089."
    said = reason(NUMBERS, [0.245, 0.665, 0.09, 0], ROW)
    assert said[0] == "Without the root it is this." and "“zero it afterwards”" in said[1]


def test_every_sentence_of_the_course_follows_a_choice_in_the_general_form():
    for question in (each for each in questions() if each.kind == "choice"):
        for option in question.options:
            said = reason(question, option.key, question.options[0].key)
            (behind,) = [each for each in said if each.startswith("This is the answer of ")]
            assert "Someone who" not in behind and behind.endswith(option.sentence[23:])


def test_close_says_how_close():
    assert mark(NUMBERS, [0.3, 0.55, 0.15, 0], ROW)[1] == (
        "Within 0.026: close enough to reason with."
    )


def test_an_attempt_after_the_result_says_so():
    assert mark(CHOICE, "same", "same", seen=True)[1] == SEEN

"""A choice is answered by the key of one of its options."""

import pytest
from msgspec.structs import replace

from attn_lab.course.kinds import Option

from ...helpers.questions import CHOICE


def test_a_choice_is_one_of_the_keys():
    assert CHOICE.read("same") == "same" and CHOICE.fits("same")
    for key in ("Same", "the same", 1, None, ["same"]):
        assert not CHOICE.fits(key)
        with pytest.raises(ValueError, match='expected one of "smaller", "same", "odd"; got'):
            CHOICE.read(key)


def test_a_choice_is_named_by_its_option():
    group = CHOICE.group_of("smaller")
    assert (group.key, group.label, group.misconception) == ("smaller", "both smaller", "late")
    assert CHOICE.group_of("gone") is None
    assert [each.key for each in CHOICE.groups()] == ["smaller", "same", "odd"]


def test_a_choice_is_spelled_by_its_options_text():
    assert CHOICE.spelled("same") == CHOICE.in_words("same") == "the `same`"
    assert CHOICE.spelled("gone") == "gone"
    assert CHOICE.pairs("same") == [("", "“the `same`”")]


def test_a_choice_is_the_same_or_different():
    assert CHOICE.compare("same", "same").outcome == "same"
    assert CHOICE.compare("odd", "same").outcome == "different"


def test_only_a_single_option_without_a_misconception_is_surely_the_computed_one():
    assert CHOICE.sure_key is None
    sure = replace(CHOICE, options=CHOICE.options[:2])
    assert sure.sure_key == "same"


def test_the_sentence_of_an_option_becomes_one_about_the_answer():
    said = CHOICE.sentence("smaller", CHOICE.compare("smaller", "same"))
    assert said == "This is the answer of someone who sees parts."


def test_an_option_is_made_with_a_key_that_a_code_can_hold():
    with pytest.raises(ValueError, match="field 'key': expected a key such as"):
        Option("Row 4", "Row 4", "…")

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_lab.explore.entry import typed_number, typed_vector


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.25", 0.25), ("1/4", 0.25), ("0,25", 0.25), (" 3 ", 3), ("−2", -2), ("-1/−4", 0.25)],
)
def test_the_usual_ways_to_write_a_number_are_understood(text, value):
    assert typed_number(text, "τ") == value


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        *((text, "such as 0.25") for text in ("abc", "1/2/3", "nan", "inf", "0.2.5", "1_000")),
        ("1e999", "finite"),
        ("1/0", "divides by zero. Write another number"),
        ("1,000", "can be read in two ways. Write 1000 or 1.000"),
    ],
)
def test_what_is_not_a_number_is_refused_with_what_to_write(text, advice):
    with pytest.raises(ValueError, match=f"^τ: .*{text}.*"):
        typed_number(text, "τ")
    with pytest.raises(ValueError, match=advice):
        typed_number(text, "τ")


def test_nothing_is_not_zero():
    with pytest.raises(ValueError, match="got nothing"):
        typed_number("  ", "τ")


@pytest.mark.parametrize("text", ["0", "-1", "0/3"])
def test_a_number_that_must_be_above_zero_is_refused_at_and_below_it(text):
    with pytest.raises(ValueError, match=f"τ needs a number above 0; got {text}"):
        typed_number(text, "τ", above=0)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_prints_is_read_back(value):
    assert math.isclose(typed_number(repr(value), "x"), value)


@pytest.mark.parametrize("text", ["1, 0.5", "1 0.5", " 1;0.5 ", "1,1/2"])
def test_a_vector_may_be_separated_in_several_ways(text):
    assert typed_vector(text, "query", 2) == [1.0, 0.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "key 1 needs 2 numbers; got nothing. Put a space"),
        ("0,5 1", "key 1 needs 2 numbers; got 3: 0 5 1. .*decimals with a point"),
        ("1 b", "key 1: Expected a number .*; got b"),
    ],
)
def test_a_vector_of_another_size_is_refused_with_how_to_write_it(text, message):
    with pytest.raises(ValueError, match=message):
        typed_vector(text, "key 1", 2)

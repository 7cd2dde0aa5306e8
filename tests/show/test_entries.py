"""What is typed means one number or is explained; empty is never zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_lab.show.entries import number, sizes


@pytest.mark.parametrize(
    "entry,value",
    [
        ("0.25", 0.25),
        ("1/4", 0.25),
        ("0,25", 0.25),
        (" 1 / 4 ", 0.25),
        ("0,333", 0.333),
        (".5", 0.5),
        ("1.", 1.0),
        ("−2", -2.0),
        ("+2", 2.0),
        ("1e-3", 0.001),
        ("2/-4", -0.5),
        ("262144", 262144.0),
        (3, 3.0),
        (0.1, 0.1),
    ],
)
def test_a_number_is_read_as_it_is_written(entry, value):
    assert number(entry) == value


@pytest.mark.parametrize("entry", ["", "   ", "\t"])
def test_empty_is_not_zero(entry):
    with pytest.raises(ValueError, match="Empty is not zero"):
        number(entry)


@pytest.mark.parametrize(
    "entry", ["abc", "1 000", "1_000", "50%", "1/2/3", "0.2.5", "nan", "inf", "1,5,2", "e^2", "--1"]
)
def test_what_is_no_number_is_quoted_back(entry):
    with pytest.raises(ValueError) as refused:
        number(entry)
    assert "number" in str(refused.value) and entry.strip("-") in str(refused.value)


@pytest.mark.parametrize(
    "entry,meant", [("262,144", "262144 or 262.144"), ("1,414", "1414 or 1.414")]
)
def test_a_comma_that_could_part_thousands_asks_which_is_meant(entry, meant):
    with pytest.raises(ValueError, match=f"two ways. Write {meant}"):
        number(entry)


def test_a_division_by_zero_is_said():
    with pytest.raises(ValueError, match="1/0 divides by zero"):
        number("1/0")


@pytest.mark.parametrize("entry", [True, None, [1], float("nan"), float("inf"), "1e999"])
def test_what_cannot_be_compared_is_refused(entry):
    with pytest.raises(ValueError, match=r"number"):
        number(entry)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_that_python_writes_is_read_back(value):
    assert number(repr(value)) == value
    assert number(value) == value


@pytest.mark.parametrize(
    "entry", ["2, 8, 10", "[2, 8, 10]", "(2,8,10)", "2 8 10", "2 × 8 × 10", "2x8x10", "2;8;10"]
)
def test_sizes_are_read_with_any_sign_between_them(entry):
    assert sizes(entry) == [2, 8, 10]


@pytest.mark.parametrize("entry", ["torch.Size([2, 8, 10])", [2, 8, 10], (2, 8, 10)])
def test_a_shape_of_python_is_read(entry):
    assert sizes(entry) == [2, 8, 10]


def test_no_axes_are_written_as_empty_brackets_and_nothing_is_not_a_shape():
    assert sizes("[]") == sizes(()) == []
    with pytest.raises(ValueError, match="Still empty"):
        sizes(" ")


@pytest.mark.parametrize("entry", ["2, -1", "a, b", "2.5", [2.5], [True], ["2", None]])
def test_sizes_are_whole_numbers(entry):
    with pytest.raises(ValueError, match="whole sizes"):
        sizes(entry)


@pytest.mark.parametrize("read", [number, sizes])
@pytest.mark.parametrize("digits", [400, 5000])  # Python writes out no more than 4300
def test_numbers_too_large_to_keep_are_refused_in_words(read, digits):
    huge = 10**digits
    with pytest.raises(ValueError, match="too large to be kept"):
        read([huge] if read is sizes else huge)


def test_a_size_written_with_too_many_digits_is_refused_in_words():
    with pytest.raises(ValueError, match="too large to be kept"):
        sizes("2, " + "9" * 5000)
    assert sizes(str(2**63 - 1)) == [2**63 - 1]


@pytest.mark.parametrize("entry", ["x", ",", "*", "(", "]", ";", "torch.Size", "× ,"])
def test_a_sign_without_a_size_is_no_shape(entry):
    with pytest.raises(ValueError, match=r"No size in .* \[\] for a single number"):
        sizes(entry)


@pytest.mark.parametrize("entry", ["[]", " ( ) ", "torch.Size([])", "torch.Size(())", "[ ]"])
def test_only_empty_brackets_are_a_single_number(entry):
    assert sizes(entry) == []


def test_a_zero_has_no_sign():
    for entry in ("-0", "−0.0", -0.0, "0/-4"):
        assert str(number(entry)) == "0.0"


@pytest.mark.parametrize(
    "read,entry",
    [
        (number, "x" * 10_000),
        (number, "1" + ",000" * 2_500),
        (number, "1" * 9_999 + "/0"),
        (sizes, "x" * 10_000),
        (sizes, "2, a" * 2_500),
    ],
)
def test_a_long_entry_is_quoted_by_its_beginning(read, entry):
    with pytest.raises(ValueError) as refused:
        read(entry)
    assert len(str(refused.value)) < 250

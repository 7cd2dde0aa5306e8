"""A count and a share know their range; a percentage is read where it is a part of something."""

import pytest

from attn_lab.course.kinds.units import unit, unknown
from attn_lab.course.questions import notebook, question


@pytest.mark.parametrize(
    "name,entry,said",
    [
        ("count of 100", "-5", "Expected a whole number from 0 to 100; got −5."),
        ("count of 100", "101", "Expected a whole number from 0 to 100; got 101."),
        ("count of 100", "1e3", "Expected a whole number from 0 to 100; got 1000."),
        ("count of 100", "50,5", "Expected a whole number from 0 to 100; got 50.5."),
        ("count of 4", "30 %", "Expected a whole number from 0 to 4; got 1.2."),
        ("count", "64.5", "Expected a whole number from 0 up; got 64.5."),
        ("share", "50", "Expected a share from 0 to 1; got 50. For 50 of 100 write 50 %."),
        ("share", "-0.1", "Expected a share from 0 to 1; got −0.1."),
        ("share", "120 %", "Expected a share from 0 to 1; got 1.2."),
        ("amount", "-2", "Expected a number from 0 up; got −2."),
        ("amount", "50 %", "Expected a number from 0 up, not a percentage; got 50 %."),
        ("count", "50 %", "Expected a whole number from 0 up, not a percentage; got 50 %."),
        ("share", "%", "Empty is not zero"),
    ],
)
def test_what_it_cannot_be_is_refused_with_what_it_can_be(name, entry, said):
    with pytest.raises(ValueError) as raised:
        unit(name).read(entry)
    assert str(raised.value).startswith(said)
    assert unit(name).heard(entry) == ""


@pytest.mark.parametrize(
    "name,entry,value,heard",
    [
        ("count of 100", "50%", 50, "Read as 50 of 100."),
        ("count of 100", "29 %", 29, "Read as 29 of 100."),  # 0.29 * 100 is no whole number
        ("count of 100", "1e2", 100, ""),
        ("count of 100", "0", 0, ""),
        ("count of 4", "50 %", 2, "Read as 2 of 4."),
        ("share", "50 %", 0.5, "Read as 0.5."),
        ("share", "1/8", 0.125, ""),
        ("weight", "67 %", 0.67, "Read as 0.67."),
        ("weight", "2.028", 2.028, ""),  # exponentials are a known mistake
        ("number", "-2", -2, ""),
        ("count", "4096", 4096, ""),
    ],
)
def test_what_it_can_be_is_read_and_a_percentage_is_said_back(name, entry, value, heard):
    assert unit(name).read(entry) == value
    assert unit(name).heard(entry) == heard


def test_only_a_count_is_of_something():
    assert not any(map(unknown, ["number", "count", "count of 4"]))
    assert all(map(unknown, ["share of 4", "count of 0", "count of many", "Count", ""]))


def test_the_count_of_a_notebooks_own_predictions_reaches_as_far_as_it_has_questions():
    asked = len(notebook("01").questions)
    assert question("01/how-many").units == (f"count of {asked}",)


@pytest.mark.parametrize("entry", ["-5", "101", "1e3", "50.5"])
def test_how_many_of_100_takes_no_more_and_no_less(entry):
    with pytest.raises(ValueError, match="00/which-bank, right out of 100: Expected a whole"):
        question("00/which-bank").read([entry])
    assert not question("00/which-bank").fits([float(entry)])

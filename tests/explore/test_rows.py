import pytest
import torch

from attn_lab.course.tensors import one_row
from attn_lab.explore.rows import Numbers, compared, row_calculator
from tests.helpers.widgets import press_named


@pytest.fixture
def explorer():
    explorer = row_calculator(*one_row())
    explorer.view()
    return explorer


def test_it_starts_with_the_row_worked_by_hand(explorer, words):
    assert words(explorer.said.value) == (
        "Weights 0.670 0.330 (as at the start); output 6.698 6.605 (as at the start)."
    )
    assert explorer.fields["query"].value == "1, 0" and explorer.fields["value 2"].value == "0, 20"


def test_another_value_moves_the_output_and_leaves_the_weights(explorer, words):
    explorer.fields["value 1"].value = "100 0"
    assert words(explorer.said.value) == (
        "Weights 0.670 0.330 (as at the start); output 66.976 6.605 (at the start 6.698 6.605)."
    )
    assert "66.976, 6.605" in explorer.shown.value
    assert explorer.fields["value 1"].value == "100, 0"


def test_another_key_or_query_moves_the_weights(explorer, words):
    explorer.fields["key 2"].value = "1, 0"
    assert words(explorer.said.value).startswith("Weights 0.500 0.500 (at the start 0.670 0.330)")
    explorer.fields["query"].value = "0, 0"
    assert torch.equal(explorer.numbers.q, torch.zeros(2).double())


def test_a_wrong_entry_is_said_and_changes_nothing(explorer, words):
    before, shown = explorer.numbers, explorer.shown.value
    explorer.fields["key 1"].value = "1"
    assert words(explorer.problem.value).startswith("key 1 needs 2 numbers; got 1: 1.")
    assert explorer.numbers is before and explorer.shown.value == shown


def test_numbers_that_overflow_are_refused_and_change_nothing(explorer, words):
    before = explorer.numbers
    explorer.fields["key 1"].value = "1e308, 1e308"
    explorer.fields["query"].value = "1e308, 1e308"
    assert "overflow" in words(explorer.problem.value)
    assert torch.equal(explorer.numbers.q, before.q)


def test_presets_change_what_they_say_and_the_first_brings_everything_back(explorer, words):
    start = explorer.said.value
    press_named(explorer.view(), "first value × 10")
    assert explorer.fields["value 1"].value == "100, 0"
    press_named(explorer.view(), "query × 10")
    assert explorer.fields["query"].value == "10, 0" and explorer.fields["value 1"].value == "10, 0"
    press_named(explorer.view(), "query all 0")
    assert "Weights 0.500 0.500" in words(explorer.said.value)
    press_named(explorer.view(), "keys in reverse")
    assert explorer.fields["key 1"].value == "0, 1"
    press_named(explorer.view(), "as at the start")
    assert explorer.said.value == start


def test_the_learners_tensors_and_the_explorers_do_not_touch_each_other():
    tensors = one_row()
    explorer = row_calculator(*tensors)
    explorer.view()
    explorer.fields["value 1"].value = "100 0"
    assert torch.equal(tensors.v, one_row().v) and torch.equal(explorer.start.v, one_row().v)
    tensors.q[0, 0] = 9
    assert torch.equal(explorer.start.q, one_row().q[0])


def test_equal_numbers_count_as_unchanged_even_after_another_order_of_summing():
    q, k, v = (x.clone() for x in one_row())
    start = Numbers(q[0], k, v)
    assert compared(Numbers(q[0], k.flip(0).flip(0), v), start).count("as at the start") == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": torch.ones(2, 2)}, r"q needs one row.*\[2, 2\].*q\[0\]"),
        ({"k": torch.ones(7, 2), "v": torch.ones(7, 2)}, r"at most 6 rows of 4.*got \[7, 2\]"),
        ({"v": torch.ones(3, 2)}, "v needs one row per key"),
    ],
)
def test_what_cannot_be_edited_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        row_calculator(**(one_row()._asdict() | change))

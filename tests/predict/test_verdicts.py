"""Same, close, right pattern, a named mistake, different: told apart, place by place."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn_lab.predict.verdicts import compare

from .conftest import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES

THIRD = [0.284, 0.576, 0.140, 0.0]  # a masked row that every case below is held against


@pytest.mark.parametrize(
    "predicted,kind,miss",
    [
        ([0.284, 0.576, 0.140, 0], "same", None),
        ([0.28, 0.58, 0.14, 0], "same", None),
        ([2 / 7, 4 / 7, 1 / 7, 0], "same", None),
        ([0.3, 0.55, 0.15, 0], "close", None),
        ([0.31, 0.606, 0.11, 0], "close", None),
        ([0.2, 0.6, 0.1, 0], "pattern", None),
        ([0.245, 0.665, 0.09, 0], "pattern", "no root"),
        ([0.25, 0.25, 0.25, 0.25], "named", "even"),
        ([0.26, 0.24, 0.27, 0.25], "named", "even"),
        ([0.6, 0.3, 0.1, 0], "different", None),
        ([0.284, 0.576, 0.140, 0.1], "different", None),
    ],
)
def test_each_prediction_gets_its_verdict(predicted, kind, miss):
    verdict = compare(NUMBERS, predicted, THIRD)
    assert verdict.kind == kind
    assert (verdict.near_miss.name if verdict.near_miss else None) == miss
    assert verdict.agrees == (kind in ("same", "close"))


def test_the_places_that_agree_and_differ_are_named():
    verdict = compare(NUMBERS, [0.29, 0.3, 0.41, 0], THIRD)
    assert verdict.agree == ("key 1", "key 4") and verdict.differ == ("key 2", "key 3")
    assert verdict.most == "key 2" and verdict.largest == pytest.approx(0.276)


def test_same_never_reaches_further_than_the_tolerance():
    fine = replace(NUMBERS, tolerance=0.001, near_misses=())
    assert compare(fine, [0.288, 0.576, 0.140, 0], THIRD).kind == "pattern"
    assert compare(fine, [0.2845, 0.576, 0.140, 0], THIRD).kind == "same"


def test_a_relative_tolerance_is_a_share_of_each_number():
    spread = replace(
        NUMBERS, labels=("4", "64", "1024"), tolerance=0.1, relative=True, near_misses=()
    )
    assert compare(spread, [2, 8, 32], [2.0, 8.0, 32.0]).kind == "same"
    assert compare(spread, [2, 8, 34], [2.0, 8.0, 32.0]).kind == "close"
    assert compare(spread, [2.3, 8, 32], [2.0, 8.0, 32.0]).kind == "pattern"


def test_a_computed_nan_agrees_with_nothing():
    verdict = compare(NUMBERS, [0, 0, 0, 0], [float("nan"), 0, 0, 0])
    assert verdict.kind == "different" and verdict.differ == ("key 1",)
    assert verdict.most == "key 1"


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("computed", [math.inf, -math.inf])
def test_a_computed_infinity_agrees_with_nothing(relative, computed):
    count = replace(NUMBERS, labels=("64",), relative=relative, near_misses=())
    verdict = compare(count, [64], [computed])
    assert verdict.kind == "different" and verdict.differ == ("64",)


def test_without_a_step_between_numbers_there_is_no_pattern():
    single = replace(NUMBERS, labels=("count",), near_misses=())
    assert compare(single, [4], [16]).kind == "different"
    assert compare(NUMBERS, [0.3, 0.3, 0.3, 0.3], [0.25] * 4).kind == "different"


def test_zeros_and_signs_belong_to_the_pattern():
    assert compare(NUMBERS, [0.5, 0.7, 0.3, 0.1], THIRD).kind == "different"
    two = replace(NUMBERS, labels=("a", "b"), near_misses=())
    assert compare(two, [-2, 1], [-1, 2]).kind == "pattern"
    assert compare(two, [1, 3], [-1, 2]).kind == "different"


def test_of_two_mistakes_within_reach_the_nearer_one_is_named():
    wide = replace(NUMBERS, tolerance=0.2)
    verdict = compare(wide, [0.25, 0.25, 0.25, 0.3], [1, 0, 0, 0])
    assert verdict.near_miss.name == "even"
    assert compare(wide, [0.3, 0.05, 0.05, 0.05], [1, 0, 0, 0]).near_miss.name == "late zero"


@given(st.lists(st.floats(-100, 100), min_size=4, max_size=4))
def test_a_prediction_is_always_the_same_as_itself(row):
    verdict = compare(NUMBERS, row, row)
    assert verdict.kind == "same" and verdict.differ == () and verdict.largest == 0


def test_cells_differ_cell_by_cell():
    verdict = compare(CELLS, [[1, 0], [0, 1]], [[1, 0], [1, 1]])
    assert verdict.kind == "different" and verdict.differ == ("query 2 reads key 1",)
    assert len(verdict.agree) == 3
    assert compare(CELLS, [[1, 0], [1, 1]], [[1, 0], [1, 1]]).kind == "same"
    named = compare(CELLS, [[1, 1], [1, 1]], [[1, 0], [1, 1]])
    assert named.kind == "named" and named.near_miss.name == "all"


def test_shapes_of_any_length_are_compared():
    assert compare(SHAPE, [2, 8, 10, 10], [2, 8, 10, 10]).kind == "same"
    assert compare(SHAPE, [2, 10, 10], [2, 8, 10, 10]).near_miss.name == "one map"
    assert compare(SHAPE, [2], [2, 8]).kind == "different"
    verdict = compare(SHAPES, [[3, 3], [5, 4]], [[5, 5], [5, 4]])
    assert verdict.agree == ("output O",) and verdict.differ == ("scores S",)


def test_a_choice_is_the_same_or_different():
    assert compare(CHOICE, "same", "same").kind == "same"
    assert compare(CHOICE, "odd", "same").kind == "different"

"""Numbers are read from anything that holds them, and compared within a tolerance."""

import json
import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from attn_lab.course.kinds import NearMiss, Numbers

from ...helpers.questions import COMMON, NUMBERS

THIRD = [0.284, 0.576, 0.140, 0.0]  # a masked row that every case below is held against
ROW = replace(
    NUMBERS,
    labels=("key 1", "key 2"),
    tolerance=0.01,
    near_misses=(
        NearMiss("no root", [0.27, 0.73], "…", "root-forgotten"),
        NearMiss("even", [0.285, 0.715], "…"),
    ),
)


@pytest.mark.parametrize(
    "row",
    [
        [1, 0, 0, 0],
        (1.0, 0.0, 0.0, 0.0),
        ["1", "0", "0/5", "0,0"],
        np.array([1, 0, 0, 0]),
        torch.tensor([1.0, 0, 0, 0], requires_grad=True),
        torch.tensor([[1.0, 0, 0, 0]], dtype=torch.bfloat16),
        [torch.tensor(1.0), np.float32(0), 0, 0.0],
    ],
)
def test_numbers_are_taken_from_anything_that_holds_them(row):
    assert NUMBERS.read(row) == [1.0, 0.0, 0.0, 0.0]
    assert json.loads(json.dumps(NUMBERS.read(row))) == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("row", [[1, 0, 0], [1, 0, 0, 0, 0], 1, "1 0 0 0", [[1, 0], [0, 0]], None])
def test_too_few_or_too_many_numbers_are_refused_with_their_labels(row):
    with pytest.raises(ValueError, match=r"05/first-row: expected 4 numbers \(key 1, key 2"):
        NUMBERS.read(row)


def test_a_number_that_cannot_be_read_names_its_place():
    with pytest.raises(ValueError, match="05/first-row, key 2: Empty is not zero"):
        NUMBERS.read(["1", "", "0", "0"])


def test_a_computed_nan_is_taken_and_a_predicted_one_is_not():
    nan = torch.tensor([float("nan"), 0, 0, float("-inf")])
    assert str(NUMBERS.read_computed(nan)) == "[nan, 0.0, 0.0, -inf]"
    with pytest.raises(ValueError, match="key 1"):
        NUMBERS.read(nan)


@pytest.mark.parametrize("answer", [[1, 0.5, 0, -2], [0, 0, 0, 0.0]])
def test_whole_and_other_numbers_fit(answer):
    assert NUMBERS.fits(answer)


@pytest.mark.parametrize(
    "answer",
    [
        [1, 0, 0],
        [1, 0, 0, True],
        [1, 0, 0, "0"],
        [1, 0, 0, math.nan],
        [1, 0, 0, math.inf],
        [1, 0, 0, 10**400],
        1,
        None,
    ],
)
def test_what_is_not_one_finite_number_for_each_label_does_not_fit(answer):
    assert not NUMBERS.fits(answer)


def test_numbers_are_spelled_on_one_line():
    assert ROW.spelled([0.25, -0.75]) == ROW.written([0.25, -0.75]) == "0.25, −0.75"
    assert ROW.pairs([0.1 + 0.2, 2.0]) == [("key 1", "0.3"), ("key 2", "2")]
    assert ROW.in_code() == "[key 1, key 2]" and ROW.dots() == ""


def test_numbers_in_data_have_the_decimals_that_are_printed():
    assert ROW.in_data([0.6697615, 0.3302385]) == [0.67, 0.33]
    assert ROW.in_data([16.0, math.nan]) == [16, "nan"]


def test_a_row_of_weights_is_added_up_on_paper_and_in_words():
    assert NUMBERS.on_paper().rows[-1] == "sum (should be 1)"
    assert "add to 0.80" in NUMBERS.remark([0.2] * 4) and NUMBERS.remark([0.25] * 4) == ""
    free = replace(NUMBERS, sums_to_one=False)
    assert free.on_paper().rows == free.labels and free.remark([0.2] * 4) == ""


def test_numbers_within_the_tolerance_are_the_near_miss():
    assert ROW.group_of([0.26, 0.74]).key == "no root"
    assert ROW.group_of([0.259, 0.741]) is None
    assert ROW.group_of([0.27]) is None


def test_the_nearer_of_two_near_misses_is_taken():
    assert ROW.group_of([0.279, 0.721]).key == "even"
    assert ROW.group_of([0.276, 0.724]).key == "no root"


def test_the_mistakes_name_is_no_part_of_the_label_that_a_room_may_see():
    assert [(g.label, g.meaning) for g in ROW.groups()] == [
        ("0.27, 0.73", "no root"),
        ("0.285, 0.715", "even"),
    ]


def test_a_relative_tolerance_is_a_share_of_the_named_value():
    linear = (NearMiss("linear", [1000.0], "…"),)
    counts = replace(NUMBERS, labels=("bytes",), tolerance=0.1, relative=True, near_misses=linear)
    assert counts.group_of([1100.0]).key == "linear"
    assert counts.group_of([1101.0]) is None


@pytest.mark.parametrize(
    "predicted,outcome,miss",
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
def test_each_prediction_gets_its_verdict(predicted, outcome, miss):
    verdict = NUMBERS.compare(predicted, THIRD)
    assert verdict.outcome == outcome
    assert (verdict.near_miss.name if verdict.near_miss else None) == miss
    assert verdict.agrees == (outcome in ("same", "close"))


def test_the_places_that_agree_and_differ_are_named():
    verdict = NUMBERS.compare([0.29, 0.3, 0.41, 0], THIRD)
    assert verdict.agree == ("key 1", "key 4") and verdict.differ == ("key 2", "key 3")
    assert verdict.largest == pytest.approx(0.276)


def test_same_never_reaches_further_than_the_tolerance():
    fine = replace(NUMBERS, tolerance=0.001, near_misses=())
    assert fine.compare([0.288, 0.576, 0.140, 0], THIRD).outcome == "pattern"
    assert fine.compare([0.2845, 0.576, 0.140, 0], THIRD).outcome == "same"


def test_a_relative_tolerance_is_a_share_of_each_number():
    spread = replace(
        NUMBERS, labels=("4", "64", "1024"), tolerance=0.1, relative=True, near_misses=()
    )
    assert spread.compare([2, 8, 32], [2.0, 8.0, 32.0]).outcome == "same"
    assert spread.compare([2, 8, 34], [2.0, 8.0, 32.0]).outcome == "close"
    assert spread.compare([2.3, 8, 32], [2.0, 8.0, 32.0]).outcome == "pattern"


def test_a_computed_nan_agrees_with_nothing():
    verdict = NUMBERS.compare([0, 0, 0, 0], [float("nan"), 0, 0, 0])
    assert verdict.outcome == "different" and verdict.differ == ("key 1",)


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("computed", [math.inf, -math.inf])
def test_a_computed_infinity_agrees_with_nothing(relative, computed):
    count = replace(NUMBERS, labels=("64",), relative=relative, near_misses=())
    verdict = count.compare([64], [computed])
    assert verdict.outcome == "different" and verdict.differ == ("64",)


def test_without_a_step_between_numbers_there_is_no_pattern():
    single = replace(NUMBERS, labels=("count",), near_misses=())
    assert single.compare([4], [16]).outcome == "different"
    assert NUMBERS.compare([0.3, 0.3, 0.3, 0.3], [0.25] * 4).outcome == "different"


def test_numbers_of_different_units_have_no_pattern_and_no_largest_difference():
    width = replace(
        NUMBERS,
        labels=("width", "divisor"),
        sums_to_one=False,
        units=("count", "amount"),
        near_misses=(),
    )
    verdict = width.compare([512, 22.6], [64.0, 8.0])
    assert verdict.outcome == "different"
    assert width.in_data([64.0, 22.6274]) == [64, 22.63]
    assert width.spelled([16777216.0, 0.5]) == "16777216, 0.5"


@pytest.mark.parametrize("units", [("count", "share", "share"), ("counts",), ("share of 4",)])
def test_units_are_known_and_one_for_all_or_one_for_each(units):
    with pytest.raises(ValueError, match="field 'units'"):
        Numbers(id="05/x", labels=("a", "b"), tolerance=0.1, units=units, **COMMON)


def test_zeros_and_signs_belong_to_the_pattern():
    assert NUMBERS.compare([0.5, 0.7, 0.3, 0.1], THIRD).outcome == "different"
    two = replace(NUMBERS, labels=("a", "b"), near_misses=())
    assert two.compare([-2, 1], [-1, 2]).outcome == "pattern"
    assert two.compare([1, 3], [-1, 2]).outcome == "different"


def test_of_two_mistakes_within_reach_the_nearer_one_is_named():
    wide = replace(NUMBERS, tolerance=0.2)
    verdict = wide.compare([0.25, 0.25, 0.25, 0.3], [1, 0, 0, 0])
    assert verdict.near_miss.name == "even"
    assert wide.compare([0.3, 0.05, 0.05, 0.05], [1, 0, 0, 0]).near_miss.name == "late zero"


@given(st.lists(st.floats(-100, 100), min_size=4, max_size=4))
def test_a_prediction_is_always_the_same_as_itself(row):
    verdict = NUMBERS.compare(row, row)
    assert verdict.outcome == "same" and verdict.differ == () and verdict.largest == 0

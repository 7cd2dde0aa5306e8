"""A shape is a list of sizes, and several shapes are one list for each label."""

import pytest
import torch
from msgspec.structs import replace

from attn_lab.course.kinds import NearMiss

from ...helpers.questions import SHAPE, SHAPES


def test_shapes_are_lists_of_sizes():
    assert SHAPE.read(torch.zeros(2, 8).shape) == [2, 8]
    assert SHAPE.read("2, 8") == [2, 8]
    assert SHAPES.read([torch.Size([5, 5]), (5, 4)]) == [[5, 5], [5, 4]]
    assert SHAPES.read(["5,5", "[5,4]"]) == [[5, 5], [5, 4]]
    with pytest.raises(ValueError, match=r"expected 2 shapes \(scores S, output O\)"):
        SHAPES.read([5])


def test_what_is_stored_is_lists_of_sizes_and_not_too_many():
    assert SHAPE.fits([2, 8]) and SHAPE.fits([]) and SHAPES.fits([[2], []])
    assert not SHAPE.fits([[2, 8]]) and not SHAPE.fits([2, -8]) and not SHAPE.fits([2, True])
    assert not SHAPES.fits([[2]]) and not SHAPES.fits([2, 8]) and not SHAPES.fits("2, 8")
    assert SHAPE.fits([1] * 12) and not SHAPE.fits([1] * 13)


def test_shapes_are_named_only_when_equal():
    asked = replace(SHAPE, near_misses=(NearMiss("swapped", [8, 4], "…"),))
    assert asked.group_of([8, 4]).key == "swapped"
    assert asked.group_of([4, 8]) is None


def test_two_shapes_are_not_the_same_because_their_sizes_are():
    assert SHAPES.difference([[2, 3], [4]], [[2], [3, 4]]) > 1


def test_shapes_are_spelled_with_crosses_and_written_with_brackets():
    assert SHAPE.spelled([4, 8]) == "4 × 8" and SHAPE.written([4, 8]) == "[4, 8]"
    assert SHAPES.spelled([[2, 3], []]) == "2 × 3; no axes"
    assert SHAPES.written([[2, 3], []]) == "[2, 3]; []"
    assert SHAPES.places() == ["scores S", "output O"]


def test_shapes_of_any_length_are_compared():
    assert SHAPE.compare([2, 8, 10, 10], [2, 8, 10, 10]).outcome == "same"
    assert SHAPE.compare([2, 10, 10], [2, 8, 10, 10]).near_miss.name == "one map"
    assert SHAPE.compare([2], [2, 8]).outcome == "different"
    verdict = SHAPES.compare([[3, 3], [5, 4]], [[5, 5], [5, 4]])
    assert verdict.agree == ("output O",) and verdict.differ == ("scores S",)

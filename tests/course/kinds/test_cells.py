"""Cells are painted or not, and compared one by one."""

import json

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from attn_lab.course.kinds import NearMiss

from ...helpers.questions import CELLS


@pytest.mark.parametrize(
    "table",
    [
        [[1, 0], [1, 1]],
        [[True, False], [True, True]],
        torch.tensor([[True, False], [True, True]]),
        np.array([[1.0, 0.0], [1.0, 1.0]]),
    ],
)
def test_cells_become_rows_of_0_and_1(table):
    assert CELLS.read(table) == [[1, 0], [1, 1]]
    assert json.dumps(CELLS.read(table)) == "[[1, 0], [1, 1]]"


@pytest.mark.parametrize("table", [[[1, 0]], [[1, 0, 0], [1, 0, 0]], [[2, 0], [0, 0]], 1, "x", [1]])
def test_a_table_of_another_form_is_refused(table):
    assert not CELLS.fits(table)
    with pytest.raises(ValueError, match="05/hotter: expected 2 rows of 2 cells, each 0 or 1"):
        CELLS.read(table)


def test_only_whole_numbers_fit_as_they_are_stored():
    assert CELLS.fits([[1, 0], [1, 1]])
    assert not CELLS.fits([[True, 0], [1, 1]]) and not CELLS.fits([[1.0, 0], [1, 1]])


def test_one_row_or_one_column_of_cells_may_be_a_plain_list():
    row = replace(CELLS, rows=("the softmax",), columns=("a", "b", "c"), near_misses=())
    column = replace(CELLS, rows=("1", "2", "3"), columns=("weights",), near_misses=())
    assert row.read(torch.tensor([True, False, True])) == [[1, 0, 1]]
    assert column.read([1, 0, 1]) == [[1], [0], [1]]


def test_every_cell_has_a_name():
    assert CELLS.places()[:3] == [
        "query 1 reads key 1",
        "query 1 reads key 2",
        "query 2 reads key 1",
    ]


def test_cells_are_spelled_as_squares_or_by_the_names_of_those_that_are_marked():
    assert CELLS.spelled([[1, 0], [1, 1]]) == "■□ / ■■"
    assert CELLS.in_words([[0, 0], [1, 1]]) == "query 1: none; query 2: key 1, key 2"
    assert CELLS.grid([[1, 0], [1, 1]]).marked == {(0, 0), (1, 0), (1, 1)}


def test_cells_are_named_only_when_equal():
    asked = replace(CELLS, near_misses=(NearMiss("not itself", [[0, 0], [1, 0]], "…"),))
    assert asked.group_of([[0, 0], [1, 0]]).key == "not itself"
    assert asked.group_of([[1, 0], [1, 0]]) is None


def test_cells_differ_cell_by_cell():
    verdict = CELLS.compare([[1, 0], [0, 1]], [[1, 0], [1, 1]])
    assert verdict.outcome == "different" and verdict.differ == ("query 2 reads key 1",)
    assert len(verdict.agree) == 3
    assert CELLS.compare([[1, 0], [1, 1]], [[1, 0], [1, 1]]).outcome == "same"
    named = CELLS.compare([[1, 1], [1, 1]], [[1, 0], [1, 1]])
    assert named.outcome == "named" and named.near_miss.name == "all"

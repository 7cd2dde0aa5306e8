"""An answer has one form, whether it came from a learner, a tensor, an array or a list."""

import json

import numpy as np
import pytest
import torch

from attn_lab.predict.answers import places, read_answer, read_computed

from .conftest import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES


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
    assert read_answer(NUMBERS, row) == [1.0, 0.0, 0.0, 0.0]
    assert json.loads(json.dumps(read_answer(NUMBERS, row))) == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("row", [[1, 0, 0], [1, 0, 0, 0, 0], 1, "1 0 0 0", [[1, 0], [0, 0]], None])
def test_too_few_or_too_many_numbers_are_refused_with_their_labels(row):
    with pytest.raises(ValueError, match=r"05/first-row: expected 4 numbers \(key 1, key 2"):
        read_answer(NUMBERS, row)


def test_a_number_that_cannot_be_read_names_its_place():
    with pytest.raises(ValueError, match="05/first-row, key 2: Empty is not zero"):
        read_answer(NUMBERS, ["1", "", "0", "0"])


def test_a_computed_nan_is_taken_and_a_predicted_one_is_not():
    nan = torch.tensor([float("nan"), 0, 0, float("-inf")])
    assert str(read_computed(NUMBERS, nan)) == "[nan, 0.0, 0.0, -inf]"
    with pytest.raises(ValueError, match="key 1"):
        read_answer(NUMBERS, nan)


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
    assert read_answer(CELLS, table) == [[1, 0], [1, 1]]
    assert json.dumps(read_answer(CELLS, table)) == "[[1, 0], [1, 1]]"


@pytest.mark.parametrize("table", [[[1, 0]], [[1, 0, 0], [1, 0, 0]], [[2, 0], [0, 0]], 1, "x", [1]])
def test_a_table_of_another_form_is_refused(table):
    with pytest.raises(ValueError, match="05/hotter: expected 2 rows of 2 cells, each 0 or 1"):
        read_answer(CELLS, table)


def test_one_row_or_one_column_of_cells_may_be_a_plain_list():
    from dataclasses import replace

    row = replace(CELLS, rows=("the softmax",), columns=("a", "b", "c"))
    column = replace(CELLS, rows=("row 1", "row 2", "row 3"), columns=("weights",))
    assert read_answer(row, torch.tensor([True, False, True])) == [[1, 0, 1]]
    assert read_answer(column, [1, 0, 1]) == [[1], [0], [1]]


def test_shapes_are_lists_of_sizes():
    assert read_answer(SHAPE, torch.zeros(2, 8).shape) == [2, 8]
    assert read_answer(SHAPE, "2, 8") == [2, 8]
    assert read_answer(SHAPES, [torch.Size([5, 5]), (5, 4)]) == [[5, 5], [5, 4]]
    assert read_answer(SHAPES, ["5,5", "[5,4]"]) == [[5, 5], [5, 4]]
    with pytest.raises(ValueError, match=r"expected 2 shapes \(scores S, output O\)"):
        read_answer(SHAPES, [5])


def test_a_choice_is_one_of_the_keys():
    assert read_answer(CHOICE, "same") == "same"
    for key in ("Same", "the same", 1, None, ["same"]):
        with pytest.raises(ValueError, match='expected one of "smaller", "same", "odd"; got'):
            read_answer(CHOICE, key)


def test_every_place_has_a_name():
    assert places(NUMBERS) == ["key 1", "key 2", "key 3", "key 4"]
    assert places(CELLS)[:3] == [
        "query 1 reads key 1",
        "query 1 reads key 2",
        "query 2 reads key 1",
    ]
    assert places(SHAPES) == ["scores S", "output O"] and places(CHOICE) == ["answer"]


@pytest.mark.parametrize("question", [NUMBERS, CELLS, SHAPE, CHOICE])
@pytest.mark.parametrize("layout", ["sparse", "meta"])
def test_a_tensor_whose_numbers_cannot_be_listed_is_refused_in_words(question, layout):
    value = torch.eye(4).to_sparse() if layout == "sparse" else torch.zeros(4, device="meta")
    for read in (read_answer, read_computed):
        with pytest.raises(ValueError, match="expected a value whose numbers can be listed"):
            read(question, value)


def test_a_large_tensor_that_does_not_fit_is_quoted_by_its_beginning():
    for question in (NUMBERS, CELLS, SHAPES, CHOICE):
        with pytest.raises(ValueError) as refused:
            read_computed(question, torch.zeros(300, 300))
        assert len(str(refused.value)) < 250

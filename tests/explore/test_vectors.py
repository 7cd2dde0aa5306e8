"""Vectors: what is dragged is what attention is given."""

import pytest
import torch

from attn_lab.core.attention import attention
from attn_lab.explore.vectors import vectors
from tests.helpers.panels import controls, move, press, said

ROW = ([1.0, 0.0], [[1.0, 0.0], [0.0, 1.0]], [[10.0, 0.0], [0.0, 20.0]])


@pytest.fixture
def panel():
    return vectors(*ROW).panel()


def test_the_row_by_hand_is_where_it_starts(panel):
    assert said(panel) == (
        "Key 1: angle 0°, product 1.00, weight 0.67. "
        "Key 2: angle 90°, product 0.00, weight 0.33. Output 6.70 6.60."
    )
    plane = controls(panel)["arrows"]
    assert [tuple(each.values()) for each in plane["points"]] == [
        ("key 1", "key", True),
        ("key 2", "key", True),
        ("query", "query", True),  # on top of a key at the same place
    ]


def test_keys_can_be_held_fast():
    points = controls(vectors(*ROW, keys_move=False).panel())["arrows"]["points"]
    assert {each["name"]: each["moves"] for each in points} == {
        "key 1": False,
        "key 2": False,
        "query": True,
    }


def test_a_dragged_query_gives_what_attention_computes(panel):
    move(panel, "arrows", {**panel.values["arrows"], "query": [0.0, 2.0]})
    output, weights = attention(*(torch.tensor(x) for x in ([[0.0, 2.0]], *ROW[1:])))
    first, second = (f"{x:.2f}" for x in weights[0])
    assert said(panel) == (
        f"Key 1: angle 90°, product 0.00, weight {first}. "
        f"Key 2: angle 0°, product 2.00, weight {second}. "
        f"Output {output[0, 0]:.2f} {output[0, 1]:.2f}."
    )


def test_an_arrow_without_length_has_no_angle(panel):
    move(panel, "arrows", {**panel.values["arrows"], "query": [0.0, 0.0]})
    assert said(panel).startswith(
        "Key 1: no angle to an arrow without length, product 0, weight 0.50."
    )


@pytest.mark.parametrize(
    ("name", "said_of_key_1"),
    [
        ("query × 2", "angle 0°, product 2.00"),
        ("query across key 1", "angle 90°, product 0.00"),
        ("query against key 1", "angle 180°, product -1.00"),
    ],
)
def test_presets_turn_the_query_and_the_start_comes_back(panel, name, said_of_key_1):
    start = said(panel)
    press(panel, name)
    assert said_of_key_1 in said(panel).replace("−", "-")
    press(panel, "as at the start")
    assert said(panel) == start


def test_what_lies_in_no_plane_is_refused():
    with pytest.raises(ValueError, match=r"2 numbers a row and at most 4 keys.*got q \[3\]"):
        vectors([1, 0, 0], [[1, 0, 0]], [[1]])
    with pytest.raises(ValueError, match="at most 4 keys"):
        vectors([1, 0], [[1, 0]] * 5, [[1]] * 5)

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from attn_lab.course.tensors import places
from attn_lab.explore.tile_steps import read_in_tiles, tiles
from tests.helpers.panels import click, controls, move, press, problem, said

SCORES = torch.tensor([1.0, 3.0, 2.0, 5.0], dtype=torch.float64)
V = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0], [4.0, -1.0]], dtype=torch.float64)
ALL = torch.ones(4, dtype=torch.bool)


def test_the_row_of_1_3_2_5_in_two_tiles_worked_by_hand():
    first, second = read_in_tiles(SCORES, V, ALL, 2)
    assert (first.maximum, first.total) == (3, pytest.approx(math.exp(-2) + 1))
    assert second.maximum == 5
    assert second.factor == pytest.approx(math.exp(3 - 5))
    assert second.total == pytest.approx(first.total * second.factor + math.exp(-3) + 1)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9])
def test_the_last_output_is_the_softmax_of_the_whole_row(size):
    last = read_in_tiles(SCORES, V, ALL, size)[-1]
    assert torch.allclose(last.output(), SCORES.softmax(0) @ V, atol=1e-14)


def test_a_tile_that_may_not_be_read_changes_nothing_and_makes_no_nan():
    allowed = torch.tensor([False, False, True, True])
    blocked, read = read_in_tiles(SCORES, V, allowed, 2)
    assert blocked.skipped and blocked.maximum == -math.inf and blocked.output() is None
    assert blocked.scores == [None, None]
    assert torch.allclose(read.output(), SCORES[2:].softmax(0) @ V[2:])


def test_a_skipped_tile_in_the_middle_keeps_what_was_there():
    allowed = torch.tensor([True, True, False, False])
    first, second = read_in_tiles(SCORES, V, allowed, 2)
    assert (second.maximum, second.factor, second.total) == (first.maximum, 1.0, first.total)


def test_an_empty_row_gives_no_output():
    assert read_in_tiles(SCORES, V, ~ALL, 3)[-1].output() is None


def test_the_masked_row_reads_its_own_past_only():
    x = torch.arange(8, dtype=torch.float64).view(4, 2) / 5
    explorer = tiles(x, x, x, row=1, causal=True)
    steps = explorer.steps(explorer.setting)
    assert not steps[0].skipped and steps[1].skipped
    open_steps = explorer.steps(replace(explorer.setting, masked=False))
    assert not any(step.skipped for step in open_steps)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(-700, 700), st.booleans()), min_size=1, max_size=9),
    st.integers(1, 9),
)
def test_any_row_in_any_tiles_equals_the_masked_softmax(pairs, size):
    scores = torch.tensor([score for score, _ in pairs], dtype=torch.float64)
    allowed = torch.tensor([ok for _, ok in pairs])
    v = torch.arange(2 * len(pairs), dtype=torch.float64).view(-1, 2)
    output = read_in_tiles(scores, v, allowed, size)[-1].output()
    if not allowed.any():
        assert output is None
    else:
        expected = scores.masked_fill(~allowed, -math.inf).softmax(0) @ v
        assert torch.allclose(output, expected, atol=1e-9)


ROW = ([[1.0]], [[1.0], [3.0], [2.0], [5.0]], [[10.0], [20.0], [30.0], [40.0]])


@pytest.fixture
def explorer():
    explorer = tiles(*ROW, scale=1.0)
    return explorer


def test_it_starts_before_the_first_tile_and_gives_nothing_away(explorer):
    assert said(explorer.panel()) == (
        "Before the first tile nothing is kept: the maximum is −∞, the sum 0."
    )
    assert "1.135" not in explorer.panel().html["shown"]


def test_step_by_step_it_says_maximum_factor_sum_and_output(explorer):
    press(explorer.panel(), "next tile")
    assert said(explorer.panel()) == (
        "Tile 1 of 2, keys 1 to 2: the first that may be read. Maximum 3.000, sum 1.135. "
        "Output so far 18.808."
    )
    press(explorer.panel(), "next tile")
    assert said(explorer.panel()) == (
        "Tile 2 of 2, keys 3 to 4: the maximum grows from 3.000 to 5.000, so what was kept is "
        "multiplied by 0.135. Sum 1.203. Output 36.881; the whole row at once gives "
        "the same up to rounding."
    )
    assert explorer.panel().values["step"] == 2


def test_past_either_end_it_stays_and_says_what_to_press(explorer):
    panel = explorer.panel()
    press(panel, "one tile back")
    assert explorer.setting.step == 0 and "No tile has been read yet" in problem(panel)
    press(panel, "after the last")
    assert explorer.setting.step == 2 and problem(panel) == ""
    press(panel, "next tile")
    assert explorer.setting.step == 2 and "Tile 2 is the last one" in problem(panel)
    press(panel, "one tile back")
    assert explorer.setting.step == 1 and problem(panel) == ""


def test_a_maximum_that_stays_is_said_so(explorer):
    move(explorer.panel(), "size", 1)
    press(explorer.panel(), "before the first")
    move(explorer.panel(), "step", 3)
    assert "Tile 3 of 4, key 3: the maximum stays 3.000" in said(explorer.panel())


def test_other_tile_sizes_end_at_the_same_output(explorer):
    ends = set()
    for size in (1, 2, 3, 4):
        move(explorer.panel(), "size", size)
        press(explorer.panel(), "after the last")
        ends.add(said(explorer.panel()).split("Output ")[1])
    assert ends == {"36.881; the whole row at once gives the same up to rounding."}


def test_all_keys_in_one_tile_is_the_whole_row(explorer):
    press(explorer.panel(), "all keys in one tile")
    assert controls(explorer.panel())["step"]["most"] == 1
    assert said(explorer.panel()).startswith("Tile 1 of 1, keys 1 to 4")


def test_a_larger_tile_moves_the_step_to_the_last_there_is(explorer):
    move(explorer.panel(), "size", 1)
    press(explorer.panel(), "after the last")
    assert explorer.setting.step == 4
    move(explorer.panel(), "size", 3)
    assert (explorer.setting.step, explorer.panel().values["step"]) == (2, 2)


def test_under_the_mask_later_tiles_are_skipped():
    explorer = tiles(*places(), row=1, causal=True)
    press(explorer.panel(), "after the last")
    end = "so it is skipped and nothing changes. Output 6.698 6.605"
    assert end in said(explorer.panel())
    assert "skipped" in said(explorer.panel(), "shown")


def test_rows_can_be_picked():
    explorer = tiles(*places(), causal=True)
    press(explorer.panel(), "after the last")
    move(explorer.panel(), "row", 0)
    assert "Output 10.000 0.000" in said(explorer.panel())
    move(explorer.panel(), "masked", False)
    assert "Output 10.000 0.000" not in said(explorer.panel())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"block_size": 0}, "block_size needs 1 to 4, the number of keys; got 0"),
        ({"block_size": 5}, "got 5"),
        ({"row": 1}, "row needs an index from 0 to 0.*got 1. Query 1 is row 0"),
    ],
)
def test_a_tile_or_row_that_does_not_exist_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        tiles(*ROW, **arguments)


def test_tensors_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="k needs the width of q"):
        tiles(torch.ones(1, 2), torch.ones(4, 3), torch.ones(4, 1))


def test_the_field_says_how_many_tiles_there_are(explorer):
    assert controls(explorer.panel())["step"]["label"] == "tiles read (0 to 2)"
    move(explorer.panel(), "size", 1)
    assert controls(explorer.panel())["step"]["label"] == "tiles read (0 to 4)"


def test_a_click_in_the_table_reads_up_to_that_tile(explorer):
    click(explorer.panel(), "tile", 2, 3)
    assert said(explorer.panel()).startswith("Tile 2 of 2") and explorer.setting.step == 2
    click(explorer.panel(), "tile", 0, -1)
    assert said(explorer.panel()).startswith("Before the first tile")


def test_it_opens_on_the_last_row_in_which_a_later_tile_corrects():
    q = [[-1.0], [1.0], [1.0], [-1.0]]  # rows 2 and 3 find their largest score in the last tile
    explorer = tiles(q, *ROW[1:], scale=1.0)
    press(explorer.panel(), "next tile")
    press(explorer.panel(), "next tile")
    assert explorer.setting.row == 2
    assert "the maximum grows from 3.000 to 5.000" in said(explorer.panel())


def test_where_no_row_is_corrected_it_opens_on_the_last():
    assert tiles([[-1.0], [-2.0]], *ROW[1:], scale=1.0).setting.row == 1
    alone = tiles([[-9.0], [1.0]], [[0.0], [-3.0]], [[1.0], [2.0]], block_size=1, causal=True)
    assert alone.setting.row == 1

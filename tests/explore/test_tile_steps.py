import pytest
import torch

from attn_lab.course.tensors import places
from attn_lab.explore.tile_steps import tiles

ROW = ([[1.0]], [[1.0], [3.0], [2.0], [5.0]], [[10.0], [20.0], [30.0], [40.0]])


@pytest.fixture
def explorer():
    explorer = tiles(*ROW, scale=1.0)
    explorer.view()
    return explorer


def press(explorer, text):
    line = explorer.view().children[1].children
    next(button for button in line[1:] if button.description == text).click()


def test_it_starts_before_the_first_tile_and_gives_nothing_away(explorer, words):
    assert words(explorer.said.value) == (
        "Before the first tile nothing is kept: the maximum is −∞, the sum 0."
    )
    assert "1.135" not in explorer.shown.value


def test_step_by_step_it_says_maximum_factor_sum_and_output(explorer, words):
    press(explorer, "next tile")
    assert words(explorer.said.value) == (
        "Tile 1 of 2, keys 1 to 2: the first that may be read. Maximum 3.000, sum 1.135. "
        "Output so far 18.808."
    )
    press(explorer, "next tile")
    assert words(explorer.said.value) == (
        "Tile 2 of 2, keys 3 to 4: the maximum grows from 3.000 to 5.000, so what was kept is "
        "multiplied by 0.135. Sum 1.203. Output 36.881; the whole row at once gives "
        "the same up to rounding."
    )
    assert explorer.pickers["step"].value == 2


def test_moving_stays_between_start_and_end(explorer):
    press(explorer, "one tile back")
    assert explorer.setting.step == 0
    press(explorer, "after the last")
    press(explorer, "next tile")
    assert explorer.setting.step == 2


def test_a_maximum_that_stays_is_said_so(explorer, words):
    explorer.pickers["size"].value = 1
    press(explorer, "before the first")
    explorer.pickers["step"].value = 3
    assert "Tile 3 of 4, key 3: the maximum stays 3.000" in words(explorer.said.value)


def test_other_tile_sizes_end_at_the_same_output(explorer, words):
    ends = set()
    for size in (1, 2, 3, 4):
        explorer.pickers["size"].value = size
        press(explorer, "after the last")
        ends.add(words(explorer.said.value).split("Output ")[1])
    assert ends == {"36.881; the whole row at once gives the same up to rounding."}


def test_all_keys_in_one_tile_is_the_whole_row(explorer, words):
    press(explorer, "all keys in one tile")
    assert explorer.pickers["step"].max == 1
    assert words(explorer.said.value).startswith("Tile 1 of 1, keys 1 to 4")


def test_a_larger_tile_moves_the_step_to_the_last_there_is(explorer):
    explorer.pickers["size"].value = 1
    press(explorer, "after the last")
    assert explorer.setting.step == 4
    explorer.pickers["size"].value = 3
    assert (explorer.setting.step, explorer.pickers["step"].value) == (2, 2)


def test_under_the_mask_later_tiles_are_skipped(words):
    explorer = tiles(*places(), row=1, causal=True)
    explorer.view()
    press(explorer, "after the last")
    said = words(explorer.said.value)
    assert "so it is skipped and nothing changes. Output 6.698 6.605" in said
    assert "skipped" in words(explorer.shown.value)


def test_rows_can_be_picked(words):
    explorer = tiles(*places(), causal=True)
    explorer.view()
    press(explorer, "after the last")
    explorer.pickers["row"].value = 0
    assert "Output 10.000 0.000" in words(explorer.said.value)
    explorer.pickers["masked"].value = False
    assert "Output 10.000 0.000" not in words(explorer.said.value)


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
    assert explorer.pickers["step"].description == "tiles read (0 to 2)"
    explorer.pickers["size"].value = 1
    assert explorer.pickers["step"].description == "tiles read (0 to 4)"

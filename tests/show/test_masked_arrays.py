"""What a masked array hides counts as blocked, or is refused; names are used, or refused."""

import numpy as np
import pytest
import torch

from attn_lab.show import bars, curve, heatmap, places_map, row_steps, side_by_side

ma = np.ma
WEIGHTS = ma.array([[1.0, 0.0], [0.5, 0.5]], mask=[[False, True], [False, False]])
ALLOWED = [[True, False], [True, True]]


class Frame:
    """What pictures ask of a pandas data frame."""

    def __init__(self, values, index, columns):
        self.values, self.index, self.columns = np.array(values), index, columns

    def to_numpy(self):
        return self.values

    def __array__(self, dtype=None, copy=None):
        return self.values.astype(dtype or float)


@pytest.mark.parametrize(
    "given", [WEIGHTS, [WEIGHTS[0], WEIGHTS[1]], [[1.0, ma.masked], [0.5, 0.5]]]
)
def test_a_hidden_cell_of_a_heatmap_is_blocked(given):
    assert heatmap(given).html == heatmap(WEIGHTS.data, allowed=ALLOWED).html


def test_a_mask_that_is_given_and_one_that_hides_close_together():
    shown = heatmap(ma.array([[0.0, 1.0, 0.0]], mask=[[1, 0, 0]]), allowed=[[True, True, False]])
    assert shown.text.splitlines()[-1].split()[-4:] == ["–", "1.00", "–", "1.00"]


def test_what_allowed_hides_is_blocked():
    allowed = ma.array(np.ones((2, 2), dtype=bool), mask=~np.array(ALLOWED))
    assert heatmap(WEIGHTS.data, allowed=allowed).html == heatmap(WEIGHTS).html


def test_a_hidden_bar_is_blocked():
    assert bars(WEIGHTS[0]).html == bars([1.0, 0.0], allowed=[True, False]).html


def test_rows_of_bars_that_hide_unlike_places_are_refused():
    with pytest.raises(ValueError, match="values needs rows that hide the same places"):
        bars({"a": WEIGHTS[0], "b": WEIGHTS[1]})


def test_hidden_weights_on_the_map_of_places_are_blocked():
    v = [[1, 2], [3, 4]]
    assert places_map(v, WEIGHTS).html == places_map(v, WEIGHTS.data, allowed=ALLOWED).html


def test_a_hidden_entry_beside_others_has_the_sign_of_what_is_blocked():
    shown = side_by_side({"a": ma.array([1, 2], mask=[0, 1])}, title="t")
    assert shown.text.splitlines()[-1].split() == ["a", "1.000", "–"]


@pytest.mark.parametrize(
    ("draw", "name"),
    [
        (lambda m: curve([1, 2], m[0], x_name="x", y_name="y"), "y"),
        (lambda m: row_steps(m, m.data, m.data), "q"),
        (lambda m: places_map(m, [0.5, 0.5]), "v"),
    ],
)
def test_where_nothing_can_be_blocked_a_hidden_entry_is_refused(draw, name):
    with pytest.raises(ValueError, match=rf"{name} needs all its numbers; got a masked array"):
        draw(WEIGHTS)


def test_a_masked_array_that_hides_nothing_is_an_array():
    shown = curve([1, 2], ma.array([1.0, 2.0]), x_name="x", y_name="y")
    assert shown.html == curve([1, 2], [1.0, 2.0], x_name="x", y_name="y").html


def test_the_names_of_a_data_frame_name_rows_and_columns():
    frame = Frame(WEIGHTS.data, ["a", "b"], ["c", "d"])
    named = {"queries": ["a", "b"], "keys": ["c", "d"]}
    assert heatmap(frame).html == heatmap(WEIGHTS.data, **named).html
    assert heatmap(frame, keys=["x", "y"]).text.splitlines()[1].split()[4:6] == ["x", "y"]


def test_a_data_frame_that_only_counts_has_the_picture_s_own_names():
    frame = Frame(WEIGHTS.data, range(2), range(2))
    assert heatmap(frame).html == heatmap(WEIGHTS.data).html


def test_names_that_a_picture_would_lose_are_refused():
    frame = Frame([[1, 2], [3, 4]], range(2), ["east", "north"])
    with pytest.raises(ValueError, match=r"v needs plain numbers; .* \(east, north\).*to_numpy"):
        places_map(frame, [0.5, 0.5])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.array([(1.0,), (0.0,)], dtype=[("a", float)]), r"fields a: choose one by x\["),
        ([[1.0, None]], "None among them"),
        ([["1", "0"]], "entries of type"),
        (np.array([["2020-01-01"]], "M8[D]"), "entries of type datetime64"),
    ],
)
def test_what_is_no_number_is_refused_rather_than_made_one(given, words):
    with pytest.raises(ValueError, match=words):
        heatmap(given, kind="matrix")


def test_numbers_in_an_array_of_objects_are_numbers():
    assert heatmap(np.array([[1, 0.0]], dtype=object)).html == heatmap([[1.0, 0.0]]).html


def test_labels_in_a_tensor_are_its_numbers():
    shown = bars([0.5, 0.5], labels=torch.tensor([3, 7]))
    assert shown.text.splitlines()[1].split() == ["3", "7"]


@pytest.mark.parametrize("row", [np.array([0.5]), np.array(True), torch.tensor(True), 1, -1, "0"])
def test_a_row_that_is_no_index_is_refused(row):
    with pytest.raises(ValueError, match="row needs an index from 0 to 0"):
        row_steps([[1, 0]], [[1, 0]], [[1, 0]], row=row)

import pytest
import torch

from attn_lab.core.masks import causal_mask
from attn_lab.course.tensors import places
from attn_lab.explore.mask_editor import mask_editor, rows_said
from tests.helpers.panels import controls, move, press, problem, said


@pytest.fixture
def explorer():
    explorer = mask_editor(*places())
    return explorer


def paint(explorer, i, j, value):
    cells = [[*line] for line in explorer.panel().values["cells"]]
    cells[i][j] = value
    move(explorer.panel(), "cells", cells)


def test_the_causal_mask_is_legal_for_1_2_3_4_keys(explorer):
    assert said(explorer.panel()) == (
        "How many keys each query may read: 1, 2, 3, 4. Every query may read something."
    )


def test_every_cell_says_what_it_stands_for_in_words(explorer):
    grid = controls(explorer.panel())["cells"]
    assert (grid["rows"][1], grid["cell"], grid["columns"][0]) == ("query 2", "reads", "key 1")
    assert explorer.panel().values["cells"] == causal_mask(4).int().tolist()


def test_closing_a_cell_changes_the_mask_the_words_and_the_map(explorer):
    before = explorer.panel().html["shown"]
    paint(explorer, 1, 0, 0)
    assert not explorer.allowed[1, 0]
    assert said(explorer.panel()).startswith("How many keys each query may read: 1, 1, 3, 4.")
    assert explorer.panel().html["shown"] != before


def test_a_fully_masked_row_is_said_and_drawn_without_error(explorer):
    paint(explorer, 0, 0, 0)
    assert problem(explorer.panel()) == ""
    refused = "Query 1 may read no key: attention refuses this row by default, and "
    assert refused in said(explorer.panel())
    assert "Nothing is read in query 1" in said(explorer.panel(), "shown")


def test_several_fully_masked_rows_are_all_named():
    said = rows_said(torch.zeros(3, 3, dtype=torch.bool))
    assert said.startswith(
        "How many keys each query may read: 0, 0, 0. Queries 1, 2, 3 may read no key"
    )


def test_presets_set_every_cell_and_draw_once(explorer):
    panel, drawn = explorer.panel(), []
    panel.observe(lambda change: drawn.append(change["new"]["shown"]), "html")
    press(panel, "everything open")
    assert panel.values["cells"] == [[1] * 4] * 4 and len(set(drawn)) == 1
    press(explorer.panel(), "causal, first keys padding")
    assert said(explorer.panel()).startswith(
        "How many keys each query may read: 0, 0, 1, 2. Queries 1, 2"
    )
    press(explorer.panel(), "causal, last keys padding")
    assert said(explorer.panel()).startswith(
        "How many keys each query may read: 1, 2, 2, 2. Every query"
    )
    press(explorer.panel(), "causal")
    assert torch.equal(explorer.allowed, causal_mask(4))


def test_a_mask_of_ones_own_is_where_it_starts_and_comes_back_to(explorer):
    own = torch.eye(4, dtype=torch.bool)
    explorer = mask_editor(*places(), allowed=own)
    paint(explorer, 0, 3, 1)
    press(explorer.panel(), "as at the start")
    assert torch.equal(explorer.allowed, own) and own.sum() == 4


def test_cells_and_mask_agree_after_any_clicks(explorer):
    generator = torch.Generator().manual_seed(0)
    for i, j in torch.randint(4, (20, 2), generator=generator).tolist():
        paint(explorer, i, j, 1 - explorer.panel().values["cells"][i][j])
    assert explorer.panel().values["cells"] == explorer.allowed.int().tolist()


def test_too_many_positions_are_refused():
    x = torch.ones(9, 2)
    with pytest.raises(ValueError, match=r"q needs at most 8 positions.*got 9.*q\[:8\]"):
        mask_editor(x, x, x)


def test_a_mask_of_another_shape_or_type_is_refused():
    with pytest.raises(ValueError, match=r"allowed needs shape \[4, 4\]"):
        mask_editor(*places(), allowed=torch.ones(2, 2, dtype=torch.bool))
    with pytest.raises(TypeError, match=r"True .* and False"):
        mask_editor(*places(), allowed=torch.ones(4, 4))

import pytest
import torch

from attn_lab.core.masks import causal_mask
from attn_lab.course.tensors import places
from attn_lab.explore.mask_editor import mask_editor, rows_said
from tests.helpers.widgets import press_named


@pytest.fixture
def explorer():
    explorer = mask_editor(*places())
    explorer.view()
    return explorer


def test_the_causal_mask_is_legal_for_1_2_3_4_keys(explorer, words):
    assert words(explorer.said.value) == (
        "How many keys each query may read: 1, 2, 3, 4. Every query may read something."
    )


def test_each_button_says_what_it_stands_for_in_words_and_by_icon(explorer):
    open_cell, closed = explorer.cells[1][0], explorer.cells[0][1]
    assert (open_cell.tooltip, open_cell.icon) == ("query 2 reads key 1: yes", "check")
    assert (closed.tooltip, closed.icon) == ("query 1 reads key 2: no", "ban")


def test_closing_a_cell_changes_the_mask_the_words_and_the_map(explorer, words):
    before = explorer.shown.value
    explorer.cells[1][0].value = False
    assert not explorer.allowed[1, 0] and explorer.cells[1][0].icon == "ban"
    assert words(explorer.said.value).startswith("How many keys each query may read: 1, 1, 3, 4.")
    assert explorer.shown.value != before


def test_a_fully_masked_row_is_said_and_drawn_without_error(explorer, words):
    explorer.cells[0][0].value = False
    assert explorer.problem.value == ""
    assert "Query 1 may read no key: attention refuses this row by default, and " in words(
        explorer.said.value
    )
    assert "Nothing is read in query 1" in words(explorer.shown.value)


def test_several_fully_masked_rows_are_all_named():
    said = rows_said(torch.zeros(3, 3, dtype=torch.bool))
    assert said.startswith(
        "How many keys each query may read: 0, 0, 0. Queries 1, 2, 3 may read no key"
    )


def test_presets_set_every_button_and_draw_once(explorer, words):
    drawn = []
    explorer.shown.observe(lambda change: drawn.append(1), "value")
    press_named(explorer.view(), "everything open")
    assert all(cell.value for line in explorer.cells for cell in line) and drawn == [1]
    press_named(explorer.view(), "causal, first keys padding")
    assert words(explorer.said.value).startswith(
        "How many keys each query may read: 0, 0, 1, 2. Queries 1, 2"
    )
    press_named(explorer.view(), "causal, last keys padding")
    assert words(explorer.said.value).startswith(
        "How many keys each query may read: 1, 2, 2, 2. Every query"
    )
    press_named(explorer.view(), "causal")
    assert torch.equal(explorer.allowed, causal_mask(4))


def test_a_mask_of_ones_own_is_where_it_starts_and_comes_back_to(explorer):
    own = torch.eye(4, dtype=torch.bool)
    explorer = mask_editor(*places(), allowed=own)
    explorer.view()
    explorer.cells[0][3].value = True
    press_named(explorer.view(), "as at the start")
    assert torch.equal(explorer.allowed, own) and own.sum() == 4


def test_buttons_and_mask_agree_after_any_clicks(explorer):
    generator = torch.Generator().manual_seed(0)
    for i, j in torch.randint(4, (20, 2), generator=generator).tolist():
        explorer.cells[i][j].value = not explorer.cells[i][j].value
    shown = torch.tensor([[cell.value for cell in line] for line in explorer.cells])
    assert torch.equal(shown, explorer.allowed)


def test_too_many_positions_are_refused():
    x = torch.ones(9, 2)
    with pytest.raises(ValueError, match=r"q needs at most 8 positions.*got 9.*q\[:8\]"):
        mask_editor(x, x, x)


def test_a_mask_of_another_shape_or_type_is_refused():
    with pytest.raises(ValueError, match=r"allowed needs shape \[4, 4\]"):
        mask_editor(*places(), allowed=torch.ones(2, 2, dtype=torch.bool))
    with pytest.raises(TypeError, match=r"True .* and False"):
        mask_editor(*places(), allowed=torch.ones(4, 4))

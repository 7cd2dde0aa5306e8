import pytest
import torch

from attn_lab.core.masks import causal_mask
from attn_lab.explore.head_maps import MEAN, heads
from tests.helpers.panels import click, controls, move, press, said

# Two heads of two queries: one reads only itself, the other half and half in row 2.
ITSELF = [[1.0, 0.0], [0.0, 1.0]]
HALVES = [[1.0, 0.0], [0.5, 0.5]]
PAIR = torch.tensor([ITSELF, HALVES], dtype=torch.float64)
ALLOWED = causal_mask(2)


@pytest.fixture
def explorer():
    explorer = heads([PAIR.flip(0), PAIR], allowed=ALLOWED, labels=["river", "bank"])
    return explorer


def test_it_says_where_each_head_of_the_layer_reads(explorer):
    assert said(explorer.panel()) == (
        "Layer 1, head 1, query 2 bank: most weight on key 1 river, 0.50; head 2: key 2 bank, 1.00."
    )


def test_a_picked_layer_head_and_query_are_drawn_and_said(explorer):
    move(explorer.panel(), "layer", 1)
    move(explorer.panel(), "query", 0)
    move(explorer.panel(), "head", 1)
    assert said(explorer.panel()).startswith("Layer 2, head 2, query 1 river: most weight on")
    shown = said(explorer.panel(), "shown")
    assert "Layer 2, head 2" in shown and "Query 1 river in every head" in shown


def test_the_second_table_holds_the_query_in_every_head_of_every_layer(explorer):
    shown = said(explorer.panel(), "shown")
    every = shown.split("in every head")[1]
    for name in ("layer 1, head 1", "layer 1, head 2", "layer 2, head 1", "layer 2, head 2"):
        assert name in every


def test_the_mean_of_heads_is_their_mean_and_named_so(explorer):
    press(explorer.panel(), "the mean of heads")
    assert explorer.chosen.head == MEAN and "mean of heads" in said(explorer.panel())
    assert "0.75" in explorer.panel().html["shown"]


def test_the_presets_find_the_sharpest_the_most_even_and_where_heads_differ(explorer):
    press(explorer.panel(), "the sharpest head")
    assert (explorer.chosen.layer, explorer.chosen.head) == (0, 1)
    press(explorer.panel(), "the most even head")
    assert (explorer.chosen.layer, explorer.chosen.head) == (0, 0)
    press(explorer.panel(), "where heads differ most")
    assert explorer.chosen.query == 1


def test_presets_keep_the_query_that_was_chosen(explorer):
    for query in (0, 1):
        move(explorer.panel(), "query", query)
        press(explorer.panel(), "the sharpest head")
        assert explorer.chosen.query == query and explorer.panel().values["head"] == 1


def test_one_layer_needs_no_layer_picker():
    explorer = heads(PAIR)
    assert "layer" not in controls(explorer.panel())
    assert "Head 1, query 2: most weight on key 2, 1.00" in said(explorer.panel())


def test_a_batch_of_one_and_named_layers_are_understood():
    explorer = heads({"early": PAIR[None], "late": PAIR[None]}, allowed=ALLOWED)
    assert explorer.stack.names == ["early", "late"]
    assert [o["text"] for o in controls(explorer.panel())["layer"]["options"]] == ["early", "late"]


def test_a_numpy_array_is_one_layer():
    explorer = heads(PAIR.numpy())
    assert explorer.stack.names == ["layer 1"] and explorer.stack.n_heads == 2


def test_a_row_that_reads_nothing_is_said():
    explorer = heads(torch.zeros(1, 2, 2), allowed=torch.zeros(2, 2, dtype=torch.bool))
    assert "most weight on no key" in said(explorer.panel())


def test_many_heads_become_a_list():
    explorer = heads(torch.full((16, 3, 3), 1 / 3))
    assert controls(explorer.panel())["head"]["kind"] == "list"


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (torch.eye(2), r"needs three axes.*\[n_heads, T_q, T_k\]; got shape \[2, 2\].*heatmap"),
        (torch.zeros(2, 1, 3, 3), r"got shape \[2, 1, 3, 3\].*weights\[0\]"),
        (torch.zeros(17, 2, 2), r"at most 16 heads and positions.*got \[17, 2, 2\]"),
        ([torch.zeros(1, 2, 2), torch.zeros(1, 3, 3)], r"one shape, \[1, 2, 2\].*in layer 2"),
    ],
)
def test_other_weights_are_refused_with_what_to_do(weights, message):
    with pytest.raises(ValueError, match=message):
        heads(weights)


def test_a_click_on_a_map_picks_the_query_and_one_on_the_rows_of_all_heads_a_head(explorer):
    click(explorer.panel(), "row", 0, 1)
    assert explorer.panel().values["query"] == 0
    click(explorer.panel(), "line", 3, -1)
    assert (explorer.chosen.layer, explorer.chosen.head, explorer.chosen.query) == (1, 1, 0)

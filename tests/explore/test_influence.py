import re
from dataclasses import replace

import pytest
import torch

from attn_lab.explore.influence import PRESETS, influence
from attn_lab.explore.removals import TEXTS, Removal, outcome
from attn_lab.models.interventions import Cell, head_cells
from attn_lab.models.sentence_model import SEEDS
from attn_lab.models.sentence_texts import ask_about, lead, texts
from attn_lab.models.workbench import workbench
from tests.helpers.panels import click, controls, move, press, problem, said


@pytest.fixture(scope="module")
def shown():
    explorer = influence()
    return explorer


@pytest.fixture
def explorer(shown):
    shown.choose(Removal(0, 1, 1, workbench(0).links()[0]))
    shown.redraw()
    shown.panel().put(html={"problem": ""})
    return shown


@pytest.mark.parametrize("how", ["zero", "mean", "swap", "block"])
def test_the_outcome_is_what_the_workbench_measures(how):
    bench, cell = workbench(0), workbench(0).links()[1]
    many = ask_about(texts("asked", TEXTS, seed=1), 2)
    effect = bench.remove(many, [cell], how)
    clean = bench.run(many)
    found = outcome(bench, Removal(0, 7, 2, cell, "cell", how))
    assert found.before == pytest.approx(float(lead(clean.logits, many)[6]))
    assert found.after == pytest.approx(float(effect.lead[6]))
    assert found.mean_lost == pytest.approx(float(effect.lost.mean()))
    assert found.accuracy == (1.0, pytest.approx(effect.accuracy))
    assert found.far == pytest.approx(float(bench.distance(effect.state)[6]))
    expected = clean.weights[cell.layer - 1][6, cell.head - 1, cell.query - 1, cell.key - 1]
    assert found.weight == pytest.approx(float(expected))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_weight_costs_much_when_asked_for_and_little_when_another_is_asked(seed):
    bench = workbench(seed)
    cell = bench.links()[0]
    asked, other = (outcome(bench, Removal(seed, 1, thing, cell)) for thing in (1, 2))
    assert asked.weight == other.weight  # equal to the bit: nothing before the end knows
    assert torch.equal(asked.map[:13], other.map[:13])
    assert asked.mean_lost > 5 and abs(other.mean_lost) < 0.5


def test_what_is_said_holds_weight_lead_answers_and_distance(explorer):
    found = outcome(workbench(0), explorer.removal)
    told = said(explorer.panel())
    for number in (f"{found.weight:.2f}", f"{found.before:.1f}", f"{found.mean_lost:.1f}"):
        assert number in told
    assert f"{found.accuracy[1]:.2f} of the answers are right" in told
    assert f"Distance to normal {found.far:.1f}" in told and "asked about thing 1" in told.lower()


def test_a_whole_head_is_all_its_cells_and_a_layer_both_heads():
    removal = Removal(0, 1, 1, Cell(2, 1, 1, 1))
    assert replace(removal, extent="head").cells() == head_cells(2, 1, 14)
    assert replace(removal, extent="layer").cells() == head_cells(2, 1, 14) + head_cells(2, 2, 14)


def test_heads_that_are_redundant_alone_are_vital_together(explorer):
    press(explorer.panel(), "one head of layer 2")
    alone = outcome(workbench(0), explorer.removal).accuracy[1]
    press(explorer.panel(), "both heads of layer 2")
    both = outcome(workbench(0), explorer.removal).accuracy[1]
    assert alone > 0.75 and both < 0.5


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("text", ["a forced cell", "a row that nobody reads"])
def test_bright_cells_whose_loss_costs_nothing(seed, text):
    _, made = PRESETS[text]
    removal = made(Removal(seed, 1, 1, Cell(1, 1, 3, 2)))
    found = outcome(workbench(seed), removal)
    assert found.weight > 0.7 and abs(found.mean_lost) < 0.2 and found.accuracy[1] > 0.99


def test_presets_move_the_controls(explorer):
    press(explorer.panel(), "the same link, another asked")
    assert explorer.panel().values["thing"] == 2 and explorer.removal.thing == 2
    press(explorer.panel(), "both heads of layer 2")
    assert explorer.panel().values["extent"] == "layer" and explorer.panel().values["how"] == "mean"


def test_each_control_changes_the_removal(explorer):
    move(explorer.panel(), "text", 5)
    move(explorer.panel(), "query", 9)
    move(explorer.panel(), "key", 8)
    move(explorer.panel(), "how", "swap")
    removal = explorer.removal
    assert (removal.text, removal.cell[2:], removal.how) == (5, (9, 8), "swap")


def test_a_later_key_is_refused_and_two_fields_may_be_changed_one_after_the_other(explorer):
    move(explorer.panel(), "key", 8)
    assert "Query 3 may not read key 8: it comes later" in problem(explorer.panel())
    move(explorer.panel(), "query", 9)
    assert problem(explorer.panel()) == "" and explorer.removal.cell[2:] == (9, 8)


@pytest.mark.parametrize(
    ("removal", "message"),
    [
        (Removal(0, 1, 1, Cell(1, 1, 1, 1), "cell", "block"), "its one legal key"),
        (Removal(0, 1, 1, Cell(1, 1, 5, 1), "head", "block"), "its rows every key"),
    ],
)
def test_blocking_what_leaves_a_row_empty_is_refused_with_what_to_choose(removal, message):
    with pytest.raises(ValueError, match=f"{message}.*Choose zero, mean or swap"):
        outcome(workbench(0), removal)


def test_a_seed_that_was_not_trained_is_refused():
    with pytest.raises(ValueError, match=r"seed needs one of \(0, 1, 2\); got 3"):
        influence(seed=3)


def test_no_cell_of_the_costs_is_empty_so_that_none_is_read_aloud_as_a_gap(explorer):
    costs = explorer.panel().html["shown"].split("</table>")[0]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", costs)
    assert len(cells) == 11 and "" not in cells[1:]  # the first is the corner
    assert cells[-2] == "0.0"


def test_what_plays_no_part_is_locked(explorer):
    for extent, locked in (
        ("head", {"query", "key"}),
        ("layer", {"head", "query", "key"}),
        ("cell", set()),
    ):
        move(explorer.panel(), "extent", extent)
        found = controls(explorer.panel())
        assert {what for what, each in found.items() if each.get("off")} == locked


def test_a_field_says_which_numbers_it_takes(explorer):
    assert controls(explorer.panel())["text"]["label"] == "text (1 to 500)"


def test_a_cell_pressed_on_the_map_is_the_one_taken_away(explorer):
    panel = explorer.panel()
    move(panel, "extent", "layer")
    click(panel, "cell", 4, 2)  # query 5 reads key 3
    assert (explorer.removal.cell.query, explorer.removal.cell.key) == (5, 3)
    assert explorer.removal.extent == panel.values["extent"] == "cell"
    assert "query 5 reads key 3" in said(panel) and panel.values["key"] == 3
    click(panel, "cell", 4, 6)
    assert problem(panel).startswith("Query 5 may not read key 7: it comes later.")
    for beside in (-1, 14):  # the row's header, and its sum
        click(panel, "cell", 8, beside)
    assert (explorer.removal.cell.query, explorer.removal.cell.key) == (5, 3)

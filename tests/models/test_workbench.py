from copy import deepcopy
from dataclasses import replace

import pytest
import torch

from attn_lab.models.interventions import Cell, head_cells
from attn_lab.models.sentence_texts import texts
from attn_lab.models.workbench import (
    NORMAL,
    REMEMBERED,
    answers_turned,
    distance,
    in_every_model,
    last_row_effects,
    without_brightest,
    workbench,
)

BENCH = workbench(seed=0)
TOKENS = texts("asked", 100, seed=8)


def test_a_workbench_holds_4_000_normal_states_and_is_made_once():
    assert BENCH.states.shape == (NORMAL, 32) == (4_000, 32)
    assert workbench(seed=0) is BENCH


def test_the_limit_leaves_1_percent_of_the_normal_states_beyond_it():
    apart = torch.cdist(BENCH.states, BENCH.states).fill_diagonal_(torch.inf).min(-1).values
    assert 0.009 < (apart > BENCH.limit).double().mean() < 0.011


def test_the_mean_is_what_the_cells_deliver_on_average():
    some = BENCH.run(texts("asked", NORMAL, seed=100)[:1_000]).delivered
    for mean, gave in zip(BENCH.mean, some, strict=True):
        assert mean.shape == (1, 2, 14, 14, 16)
        assert (mean[0] - gave.mean(0)).abs().max() < 0.3  # 1,000 of the same 4,000
        assert (mean[0] - gave.mean(0)).abs().mean() < 0.02


def test_removing_nothing_loses_nothing_and_stays_where_it_was():
    effect = BENCH.remove(TOKENS, [], "zero")
    assert effect.lost.abs().max() == 0
    assert (effect.accuracy, effect.present) == (1.0, 1.0)
    assert torch.equal(effect.state, BENCH.run(TOKENS).state)


def test_lost_is_the_clean_lead_minus_the_lead_after():
    effect = BENCH.remove(TOKENS, head_cells(2, 1, 14), "mean")
    clean = BENCH.remove(TOKENS, [], "zero").lead
    assert torch.allclose(effect.lost, clean - effect.lead)
    assert effect.accuracy == (effect.lead > 0).double().mean()


def test_a_text_is_swapped_with_the_donor_of_its_place():
    alone = BENCH.remove(TOKENS[:1], head_cells(1, 1, 14), "swap")
    together = BENCH.remove(TOKENS, head_cells(1, 1, 14), "swap")
    assert torch.allclose(alone.lead[0], together.lead[0])


def test_links_lie_below_each_other_from_noun_to_adjective_in_one_head_of_layer_1():
    links = BENCH.links()
    assert [(cell.layer, cell.query, cell.key) for cell in links] == [
        (1, 3, 2),
        (1, 7, 6),
        (1, 11, 10),
    ]
    assert len({cell.head for cell in links}) == 1
    assert links[0] == Cell(1, links[0].head, 3, 2)


def test_distance_is_to_the_nearest_normal_state_and_0_for_a_normal_one():
    normal = torch.tensor([[0.0, 0.0], [6.0, 8.0]])
    assert distance(torch.tensor([[6.0, 8.0], [3.0, 4.0], [6.0, 9.0]]), normal).tolist() == [
        0,
        5,
        1,
    ]


def test_one_in_a_hundred_normal_states_is_far_and_a_strange_one_always():
    assert BENCH.far(BENCH.states + 100) == 1.0
    assert BENCH.far(BENCH.run(texts("asked", 500, seed=8)).state) < 0.03


def test_the_brightest_cell_is_each_text_s_own_and_is_taken_from_that_text_alone():
    bright, lost, right = without_brightest(BENCH, TOKENS[:6], head=2)
    effects = []
    for one in TOKENS[:6]:
        row = BENCH.run(one[None]).weights[1][0, 1, -1]
        effects.append(
            (row.max(), BENCH.remove(one[None], [Cell(2, 2, 14, int(row.argmax()) + 1)]))
        )
    assert bright == pytest.approx(float(sum(weight for weight, _ in effects) / 6))
    assert lost == pytest.approx(float(sum(effect.lost for _, effect in effects) / 6))
    assert right == pytest.approx(100 * sum(effect.accuracy for _, effect in effects) / 6)


def test_every_model_is_measured_once_and_named():
    assert in_every_model(lambda bench: bench.seed) == {"model 0": 0, "model 1": 1, "model 2": 2}


def test_the_last_row_s_cells_come_head_by_head_and_key_by_key():
    weights, lost = last_row_effects(BENCH, TOKENS[:20])
    assert weights.shape == lost.shape == (20, 28)
    cell = Cell(2, 2, 14, 4)
    assert torch.equal(weights[:, 17], BENCH.run(TOKENS[:20]).weight_of(cell))
    assert torch.allclose(lost[:, 17], BENCH.remove(TOKENS[:20], [cell], "zero").lost)


def test_dim_and_other_turned_answers_add_up_to_all_of_them():
    everything = answers_turned(BENCH, TOKENS[:20], dimmer_than=2.0)
    split = answers_turned(BENCH, TOKENS[:20], dimmer_than=0.9)
    assert everything[1] == 0
    assert sum(split) == everything[0] > 0
    assert split[0] > 0


def own_bench():
    """A workbench with a memory of its own and a model that may be changed."""
    return replace(BENCH, model=deepcopy(BENCH.model))


def everything_of(bench):
    effect = bench.remove(TOKENS, [Cell(1, 1, 3, 2)], "swap")
    return [*effect, bench.distance(effect.state), bench.run(TOKENS).logits, bench.links()]


def test_a_second_measurement_computes_nothing_and_gives_the_same(monkeypatch):
    bench = own_bench()
    first = everything_of(bench)

    def forbidden(*_):
        raise AssertionError("computed again")

    monkeypatch.setattr("attn_lab.models.workbench.run", forbidden)
    monkeypatch.setattr("attn_lab.models.workbench.distance", forbidden)
    for one, other in zip(first, everything_of(bench), strict=True):
        assert torch.equal(one, other) if isinstance(one, torch.Tensor) else one == other
    with pytest.raises(AssertionError, match="computed again"):
        bench.remove(TOKENS, [Cell(1, 1, 3, 2)], "zero")


def test_other_texts_and_a_changed_model_are_computed_anew():
    bench = own_bench()
    before = bench.run(TOKENS).logits
    assert torch.allclose(bench.run(TOKENS[1:]).logits, before[1:], atol=1e-11)
    bench.model.answer.zero_()
    assert bench.run(TOKENS).logits.abs().max() == 0


def test_what_a_workbench_remembers_is_bounded():
    bench = own_bench()
    for start in range(0, NORMAL, 500):
        bench.run(texts("asked", NORMAL, seed=8)[start : start + 500])
    assert REMEMBERED / 2 < bench.memory.held < REMEMBERED
    bench.run(texts("asked", NORMAL * 2, seed=8))
    assert bench.memory.held < REMEMBERED

"""What notebooks 07, 08 and 10 say about the three trained models, measured on the shipped weights.

The sequences are the notebooks' own: 500 held-out ones, `sequences(500, seed=8)`.
"""

from functools import cache

import pytest
import torch

from attn_lab.models.interventions import HOWS, Cell, head_cells, run
from attn_lab.models.links import losses_by_question, without_asked_link
from attn_lab.models.recall_model import SEEDS
from attn_lab.models.recall_task import PAIRS, accuracy, answers, ask_about, lead, sequences
from attn_lab.models.workbench import answers_turned, last_row_effects, workbench

TOKENS = sequences(500, seed=8)
HEADS = [(layer, head) for layer in (1, 2) for head in (1, 2)]
every_model = pytest.mark.parametrize("seed", SEEDS)


@cache
def clean(seed):
    return workbench(seed).run(TOKENS)


def percent(share):
    return round(100 * float(share))


@cache
def lost_by_question(seed, how):
    return losses_by_question(workbench(seed), TOKENS, how)


@cache
def head_effect(seed, heads, how="mean"):
    cells = [cell for layer, head in heads for cell in head_cells(layer, head)]
    return workbench(seed).remove(TOKENS, cells, how)


@cache
def without_link(seed, how):
    return without_asked_link(workbench(seed), TOKENS, how)


def last_row_sharpness(seed):
    """Mean largest weight of the last row: [layer, head]."""
    return torch.stack([w[:, :, -1].max(-1).values.mean(0) for w in clean(seed).weights])


def link_weights(seed, head):
    weights = clean(seed).weights[0][:, head - 1].mean(0)
    return torch.stack([weights[2 * pair, 2 * pair - 1] for pair in PAIRS])


@every_model
def test_the_lead_is_about_10_and_every_answer_is_right(seed):
    assert 10 < lead(clean(seed).logits, TOKENS).mean() < 11
    assert accuracy(clean(seed).logits, TOKENS) == 1.0


@every_model
@pytest.mark.parametrize("how", HOWS)
def test_a_link_matters_for_its_own_question_only(seed, how):
    lost = lost_by_question(seed, how)
    off = lost[~torch.eye(4, dtype=torch.bool)]
    assert lost.diagonal().min() > 7.9
    assert off.max() < 2.9


def test_in_model_0_zeroing_a_link_costs_10_to_11_on_the_diagonal_and_nothing_elsewhere():
    lost = lost_by_question(0, "zero")
    assert [round(x, 1) for x in sorted(lost.diagonal().tolist())] == [10.0, 10.1, 10.5, 11.0]
    assert lost[~torch.eye(4, dtype=torch.bool)].abs().max() < 0.15


def test_the_four_links_of_model_0_are_all_bright():
    head = workbench(0).links()[0].head
    assert [round(w, 2) for w in link_weights(0, head).tolist()] == [0.84, 0.79, 0.91, 0.90]


@every_model
def test_row_1_is_forced_and_removing_it_everywhere_costs_no_answer(seed):
    cells = [Cell(layer, head, 1, 1) for layer in (1, 2) for head in (1, 2)]
    assert all((weights[:, :, 0, 0] == 1).all() for weights in clean(seed).weights)
    zeroed = workbench(seed).remove(TOKENS, cells, "zero")
    assert zeroed.accuracy == 1.0
    assert zeroed.lost.mean().abs() < 0.1
    assert zeroed.lost.abs().max() < 2.51
    assert workbench(seed).remove(TOKENS, cells, "swap").lost.abs().max() == 0


@every_model
def test_rows_that_nothing_reads_have_no_effect_however_bright(seed):
    before_last = [c for head in (1, 2) for c in head_cells(2, head) if c.query < 10]
    assert clean(seed).weights[1][:, :, 1:9].mean(0).max() > 0.6  # bright, beside row 1
    assert workbench(seed).remove(TOKENS, before_last, "zero").lost.abs().max() == 0


def test_the_layer_2_heads_cover_for_each_other():
    alone = [[percent(head_effect(s, ((2, h),)).accuracy) for h in (1, 2)] for s in SEEDS]
    assert alone == [[84, 97], [69, 100], [97, 87]]
    assert [percent(head_effect(s, ((2, 1), (2, 2))).accuracy) for s in SEEDS] == [31, 27, 27]
    assert [percent(head_effect(s, ((2, 1), (2, 2))).present) for s in SEEDS] == [98, 76, 83]


def test_blind_choice_among_the_four_values_is_right_in_34_of_100():
    values = TOKENS[:, 2:-1:2]
    assert percent((values == answers(TOKENS)[:, None]).double().mean()) == 34
    assert 1 / 4 + 3 / 4 / 8 == 0.34375  # its own place, or the same value by chance


@every_model
def test_with_both_layer_2_heads_swapped_the_model_answers_the_donor_s_question(seed):
    bench = workbench(seed)

    cells = head_cells(2, 1) + head_cells(2, 2)
    answered = run(bench.model, TOKENS, cells, "swap", bench.donated).logits.argmax(-1)
    assert (answered == answers(bench.donors)).double().mean() > 0.9
    assert percent((answered == answers(TOKENS)).double().mean()) == 13


def test_removing_the_asked_link_leaves_normal_states_whatever_is_put_in():
    def beyond(seed, how):
        bench = workbench(seed)
        far = bench.distance(without_link(seed, how).state) > bench.limit
        return percent(far.double().mean())

    assert [beyond(seed, "swap") for seed in SEEDS] == [85, 86, 87]
    others = [beyond(seed, how) for seed in SEEDS for how in ("zero", "mean", "block")]
    assert (min(others), max(others)) == (93, 100)
    benches = [workbench(seed) for seed in SEEDS]
    untouched = [(b.distance(b.run(TOKENS).state) > b.limit).double().mean() for b in benches]
    assert [percent(share) for share in untouched] == [1, 1, 1]


@every_model
def test_in_the_last_row_of_the_last_layer_weight_follows_effect(seed):
    weights, lost = last_row_effects(workbench(seed), TOKENS)
    pairs = torch.stack([weights.flatten(), lost.flatten()])
    assert 0.85 <= torch.corrcoef(pairs)[0, 1] < 0.9


@every_model
def test_no_dim_cell_was_found_whose_removal_turns_an_answer(seed):
    dim, other = answers_turned(workbench(seed), TOKENS[:100])
    assert dim == 0
    assert other > 50


def test_the_costliest_head_is_a_dull_one_of_layer_1_in_all_three_models():
    right = [{h: head_effect(seed, (h,)).accuracy for h in HEADS} for seed in SEEDS]
    costliest = [min(each, key=each.get) for each in right]
    assert costliest == [(1, 1), (1, 2), (1, 1)]
    assert [percent(min(each.values())) for each in right] == [81, 42, 41]
    sharp = [last_row_sharpness(seed) for seed in SEEDS]
    dull = [each[layer - 1, head - 1] for each, (layer, head) in zip(sharp, costliest, strict=True)]
    assert max(dull) < 0.4
    assert min(each[1].min() for each in sharp) > 0.82
    assert [[round(x, 2) for x in row] for row in sharp[2].tolist()] == [[0.40, 0.29], [0.93, 0.96]]
    assert percent(sorted(right[2].values())[1]) == 87
    by_lead = [max(HEADS, key=lambda h: head_effect(s, (h,)).lost.mean()) for s in SEEDS]
    assert [layer for layer, _ in by_lead] == [2, 1, 1]  # two of the three


def test_which_head_ties_values_to_keys_differs_from_training_to_training():
    mean = [[round(link_weights(s, h).mean().item(), 2) for h in (1, 2)] for s in SEEDS]
    assert mean == [[0.86, 0.51], [0.21, 0.92], [0.96, 0.07]]


def test_the_forced_cell_and_the_link_of_model_2_differ_only_under_removal():
    asked_1 = ask_about(TOKENS, 1)
    bench = workbench(2)
    link = bench.links()[0]
    weights = bench.run(asked_1).weights[0]
    assert weights[:, link.head - 1, link.query - 1, link.key - 1].min() > 0.5
    assert 1 - bench.remove(asked_1, [link]).accuracy > 0.5
    assert bench.remove(asked_1, [Cell(1, link.head, 1, 1)]).accuracy == 1.0


def test_with_heads_swapped_a_sharp_head_of_layer_2_costs_most_in_two_of_the_three():
    right = [{h: head_effect(seed, (h,), "swap").accuracy for h in HEADS} for seed in SEEDS]
    assert [min(each, key=each.get) for each in right] == [(2, 1), (2, 1), (1, 1)]


@every_model
def test_with_the_asked_link_swapped_about_half_of_the_answers_are_still_right(seed):
    assert percent(without_link(seed, "swap").accuracy) == [59, 45, 43][seed]

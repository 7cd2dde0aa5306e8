"""What notebooks 07, 08 and 10 say about the trained models, measured on the shipped weights.

The texts are the notebooks' own: 500 held-out ones, `texts("asked", 500, seed=8)`.
"""

from functools import cache

import pytest
import torch

from attn_lab.models.interventions import HOWS, Cell, head_cells, run
from attn_lab.models.links import exchanged, losses_by_question, without_asked_link
from attn_lab.models.sentence_model import SEEDS, load
from attn_lab.models.sentence_texts import (
    THINGS,
    WORDS,
    accuracy,
    answers,
    ask_about,
    exchange_noun,
    lead,
    named_thing,
    places_of_nouns,
    share_present,
    texts,
    verbs,
)
from attn_lab.models.workbench import (
    answers_turned,
    last_row_effects,
    without_brightest,
    workbench,
)

T = 14
TOKENS = texts("asked", 500, seed=8)
HEADS = [(layer, head) for layer in (1, 2) for head in (1, 2)]
OWN = torch.eye(3, dtype=torch.bool)
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
    cells = [cell for layer, head in heads for cell in head_cells(layer, head, T)]
    return workbench(seed).remove(TOKENS, cells, how)


def last_row_sharpness(seed):
    """Mean largest weight of the last row, layer 1 before layer 2."""
    sharp = torch.cat([w[:, :, -1].max(-1).values.mean(0) for w in clean(seed).weights])
    return [round(each, 2) for each in sharp.tolist()]


def link_weights(seed, head):
    weights = clean(seed).weights[0][:, head - 1].mean(0)
    return torch.stack([weights[link.query - 1, link.key - 1] for link in workbench(seed).links()])


def far(seed, state):
    return percent(workbench(seed).far(state))


# --- one layer


@every_model
def test_with_one_layer_the_last_row_of_subject_reads_the_subject(seed):
    tokens = texts("subject", 500, seed=8)
    logits, maps = load("subject", seed)(tokens)
    read = maps[0][torch.arange(500), 0, -1, places_of_nouns(tokens)[:, 0]]
    assert accuracy(logits, tokens) == 1.0
    assert read.mean() > 0.995 and read.min() > 0.9


@every_model
def test_one_layer_names_one_of_the_three_things_and_the_right_one_in_a_third(seed):
    tokens = texts("asked", 10_000, seed=2026)
    logits, _ = load("asked_one_layer", seed)(tokens)
    assert percent(accuracy(logits, tokens)) == [33, 34, 33][seed]
    assert share_present(logits, tokens) == 1.0
    said = (logits.argmax(-1, keepdim=True) == verbs(tokens)).double().mean(0)
    assert 0.2 < said.min() and said.max() < 0.42  # each of the three, in turn


# --- the four heads of the two-layer model


@every_model
def test_the_lead_is_about_10_and_every_answer_is_right(seed):
    assert 9.8 < lead(clean(seed).logits, TOKENS).mean() < 10.1
    assert accuracy(clean(seed).logits, TOKENS) == 1.0


def test_how_sharp_the_last_rows_are_and_what_the_heads_cost():
    assert [last_row_sharpness(seed) for seed in SEEDS] == [
        [0.26, 0.36, 1.0, 1.0],
        [0.4, 0.41, 1.0, 1.0],
        [0.27, 0.26, 0.88, 0.99],
    ]
    right = [[percent(head_effect(seed, (h,)).accuracy) for h in HEADS] for seed in SEEDS]
    assert right == [[99, 33, 100, 33], [28, 98, 92, 96], [93, 93, 100, 67]]


def test_with_another_replacement_the_heads_cost_otherwise():
    right = [[percent(head_effect(s, (h,), "swap").accuracy) for h in HEADS] for s in SEEDS]
    assert right == [[79, 28, 100, 10], [28, 76, 39, 63], [70, 62, 95, 15]]


def test_which_head_ties_nouns_to_adjectives_differs_from_training_to_training():
    mean = [[round(link_weights(s, h).mean().item(), 2) for h in (1, 2)] for s in SEEDS]
    assert mean == [[0.09, 0.98], [1.0, 0.1], [0.75, 0.77]]


def test_the_heads_of_a_layer_stand_in_for_each_other():
    for layer, both in ((1, [30, 23, 22]), (2, [22, 11, 21])):
        heads = (layer, 1), (layer, 2)
        assert [percent(head_effect(seed, heads).accuracy) for seed in SEEDS] == both
    assert [percent(head_effect(s, ((2, 1), (2, 2))).present) for s in SEEDS] == [69, 29, 57]


@every_model
def test_the_whole_last_row_of_layer_1_costs_no_answer(seed):
    last_row = [Cell(1, head, T, key) for head in (1, 2) for key in range(1, T + 1)]
    assert workbench(seed).remove(TOKENS, last_row).accuracy == 1.0


@every_model
def test_with_both_heads_of_layer_2_swapped_the_model_answers_the_other_text(seed):
    bench = workbench(seed)
    cells = head_cells(2, 1, T) + head_cells(2, 2, T)
    answered = run(bench.model, TOKENS, cells, "swap", bench.donated).logits.argmax(-1)
    assert (answered == answers(bench.donors)).double().mean() > 0.99
    assert percent((answered == answers(TOKENS)).double().mean()) == 10


# --- bright cells


@every_model
def test_row_1_is_forced_and_removing_it_everywhere_costs_no_answer(seed):
    cells = [Cell(layer, head, 1, 1) for layer, head in HEADS]
    assert all((weights[:, :, 0, 0] == 1).all() for weights in clean(seed).weights)
    zeroed = workbench(seed).remove(TOKENS, cells, "zero")
    assert zeroed.accuracy == 1.0
    assert zeroed.lost.mean().abs() < 0.01
    assert zeroed.lost.abs().max() < 0.8
    assert workbench(seed).remove(TOKENS, cells, "swap").lost.abs().max() == 0


@every_model
def test_rows_that_nothing_reads_have_no_effect_however_bright(seed):
    before_last = [c for head in (1, 2) for c in head_cells(2, head, T) if c.query < T]
    assert clean(seed).weights[1][:, :, 1 : T - 1].mean(0).max() > 0.9  # bright, beside row 1
    assert workbench(seed).remove(TOKENS, before_last, "zero").lost.abs().max() == 0


def test_in_model_0_head_1_reads_what_in_every_text_and_head_2_the_noun_asked_for():
    last = clean(0).weights[1][:, :, -1]  # [B, 2, T]
    assert (TOKENS[:, 11] == WORDS.index("what")).all()
    assert last[:, 0, 11].min() > 0.93
    asked = places_of_nouns(TOKENS).gather(1, named_thing(TOKENS)[:, None] - 1)[:, 0]
    assert last[torch.arange(500), 1, asked].mean() > 0.99
    worth = [without_brightest(workbench(0), TOKENS, head) for head in (1, 2)]
    assert [[round(x, 1) for x in row] for row in worth] == [[1.0, 1.0, 100.0], [1.0, 11.2, 32.4]]


@every_model
def test_in_the_last_row_of_the_last_layer_effect_goes_with_weight(seed):
    pairs = [x.flatten() for x in last_row_effects(workbench(seed), TOKENS)]
    assert round(torch.corrcoef(torch.stack(pairs))[0, 1].item(), 2) == [0.70, 0.91, 0.85][seed]


@every_model
def test_how_many_dim_cells_turn_an_answer(seed):
    dim, other = answers_turned(workbench(seed), TOKENS[:100])
    assert dim == [0, 0, 1][seed] and other > 70


# --- links


@every_model
@pytest.mark.parametrize("how", HOWS)
def test_a_link_matters_for_its_own_question_only(seed, how):
    lost = lost_by_question(seed, how)
    assert lost[OWN].min() > 4.4
    assert lost[~OWN].max() < 3.3
    assert lost[OWN].min() > 3 * lost[~OWN].max()


def test_in_model_0_zeroing_a_link_costs_9_or_more_on_the_diagonal_and_nothing_elsewhere():
    lost = lost_by_question(0, "zero")
    assert [round(x, 1) for x in sorted(lost[OWN].tolist())] == [9.7, 12.5, 14.0]
    assert lost[~OWN].abs().max() < 0.2


def test_the_three_links_of_model_0_are_all_bright():
    head = workbench(0).links()[0].head
    assert [round(w, 2) for w in link_weights(0, head).tolist()] == [0.96, 1.0, 0.99]


@every_model
def test_only_the_last_row_knows_what_is_asked(seed):
    asked = [workbench(seed).run(ask_about(TOKENS, thing)).weights for thing in THINGS]
    for maps in asked[1:]:
        for a, b in zip(asked[0], maps, strict=True):
            assert torch.equal(a[:, :, :-1], b[:, :, :-1])


# --- the same map, another answer


@every_model
def test_another_noun_asked_for_brings_its_own_verb_through_almost_the_same_map(seed):
    changed = exchange_noun(TOKENS, named_thing(TOKENS), seed=3)
    after = workbench(seed).run(changed)
    assert accuracy(after.logits, changed) == 1.0
    assert (after.logits.argmax(-1) != clean(seed).logits.argmax(-1)).all()
    moved = (after.weights[1] - clean(seed).weights[1])[:, :, -1].abs().sum(-1).mean(0) / 2
    expected = [[0.00, 0.00], [0.00, 0.01], [0.13, 0.01]][seed]
    assert [round(x, 2) for x in moved.tolist()] == expected


@every_model
def test_another_noun_not_asked_for_changes_no_answer(seed):
    changed = exchange_noun(TOKENS, named_thing(TOKENS) % 3 + 1, seed=4)
    said = workbench(seed).run(changed).logits.argmax(-1)
    assert torch.equal(said, clean(seed).logits.argmax(-1))


# --- off the distribution


@every_model
def test_one_exchanged_link_leaves_the_normal_states(seed):
    effect, _ = exchanged(workbench(seed), TOKENS, "asked")
    assert far(seed, effect.state) == [97, 100, 98][seed]
    assert percent(effect.accuracy) == [29, 36, 71][seed]


@every_model
def test_both_links_exchanged_turn_the_answer_and_stay_near_in_two_of_the_three(seed):
    effect, said = exchanged(workbench(seed), TOKENS, "both")
    assert far(seed, effect.state) == [1, 7, 97][seed]
    assert percent(said) == [100, 100, 52][seed]
    assert percent(effect.accuracy) == [0, 0, 36][seed]


def test_removing_the_asked_link_leaves_the_normal_states_whatever_is_put_in():
    others = [
        far(s, without_asked_link(workbench(s), TOKENS, how).state) for s in SEEDS for how in HOWS
    ]
    assert (min(others), max(others)) == (81, 100)
    assert [far(seed, clean(seed).state) for seed in SEEDS] == [2, 2, 1]

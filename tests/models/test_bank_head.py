"""What the notebooks say about the head that learns: counts with a margin, in 20 heads."""

from collections import Counter
from functools import cache

import pytest
import torch

from attn_lab.core.masks import causal_mask
from attn_lab.models.bank_findings import look, map_kind, with_even_map, with_unknown_context
from attn_lab.models.bank_head import new_head, read, train
from attn_lab.models.bank_sentences import ordered_sentences, sentences, spelled, word_numbers
from attn_lab.models.bank_weights import (
    SEEDS,
    STEPS,
    learn,
    load_counts,
    load_head,
    load_ordered_head,
)

ALL = sentences()
TRAINED = ALL.take(~ALL.held_out)
ORDERED = ordered_sentences()
MIXED = torch.tensor(  # one river word and one money word
    [len({"river", "mud", "sand", "lake"} & {*spelled(t).split()}) == 1 for t in ORDERED.tokens]
)
COUNTS = load_counts()
HEADS = [load_head(seed) for seed in SEEDS]
KINDS = [map_kind(head, ALL) for head in HEADS]


@cache
def trained_here(seed):
    return learn(new_head(seed), ALL, 100)


def right(head, material=ALL, allowed=None):
    return int(look(head, material, allowed).right.sum())


def at_bank(head, text):
    output, _ = read(head, word_numbers(text))
    return float(output[text.split().index("bank"), 0])


def test_a_head_is_184_numbers():
    assert sum(numbers.numel() for numbers in new_head(0)) == 184
    assert sum(numbers.numel() for numbers in new_head(0, n_places=8)) == 248


def test_what_a_head_reads_is_attention_worked_by_hand():
    words, W_Q, W_K, W_V = head = [numbers.detach().double() for numbers in new_head(3)]
    x = words[[15, 12, 2]]  # the river bank
    scores = (x[2] @ W_Q) @ (x @ W_K).T / 2**0.5
    shares = scores.exp() / scores.exp().sum()
    output, weights = read(head, word_numbers("the river bank"))
    assert torch.allclose(weights[2], shares)
    assert torch.allclose(output[2], shares @ (x @ W_V))


def test_one_step_goes_against_the_slope_of_the_loss():
    head, stepped = new_head(5), new_head(5)
    said = read(head, TRAINED.tokens).output[torch.arange(42), TRAINED.at, 0]
    slopes = torch.autograd.grad((1 + (-said * TRAINED.meaning).exp()).log().mean(), head)
    train(stepped, TRAINED, 1, rate=2.0)
    for before, slope, after in zip(head, slopes, stepped, strict=True):
        assert torch.allclose(after, before - 2.0 * slope, atol=1e-6)


def test_the_counts_by_step():
    means = {step: COUNTS["right"][:, step].double().mean().item() for step in STEPS}
    assert means == pytest.approx({0: 26.2, 10: 43.05, 20: 53.25, 30: 56, 50: 56, 100: 56})
    held_out = [COUNTS["held_out"][:, step].double().mean().item() for step in (0, 10, 20, 30)]
    assert held_out == pytest.approx([6.05, 10.75, 13.25, 14])
    context = [round(COUNTS["context"][:, step].mean().item(), 2) for step in STEPS]
    assert context == [0.15, 0.15, 0.32, 0.69, 0.77, 0.76]


def test_the_counts_are_those_of_the_heads_kept():
    for seed in SEEDS:
        for step in STEPS:
            seen = look(load_head(seed, step), ALL)
            assert seen.right.sum() == COUNTS["right"][seed, step]
            assert seen.right[ALL.held_out].sum() == COUNTS["held_out"][seed, step]
            assert abs(seen.context.mean() - COUNTS["context"][seed, step]) < 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_every_head_trained_here_is_right_in_all_56_from_step_30_on_with_room(seed):
    for step in (30, 100):
        seen = look(trained_here(seed)[step], ALL)
        assert (seen.answers * ALL.meaning).min() > (0.05 if step == 30 else 5.0)
    assert map_kind(trained_here(seed)[100], ALL) == KINDS[seed]


def test_training_again_gives_the_heads_that_are_shipped():
    for seed in (7, 12, 16):
        for step in STEPS:
            for here, shipped in zip(trained_here(seed)[step], load_head(seed, step), strict=True):
                assert torch.allclose(here, shipped, atol=1e-3)


def test_50_becomes_100_in_every_head():
    for head in HEADS:
        assert at_bank(head, "the river bank broke") > 5
        assert at_bank(head, "the savings bank broke") < -5


def test_a_head_is_right_before_its_map_shows_it():
    first = [int((row >= 50).nonzero()[0]) for row in COUNTS["right"]]
    context = [float(COUNTS["context"][seed, step]) for seed, step in enumerate(first)]
    assert sum(0.135 < weight < 0.185 for weight in context) == 18  # even is 0.143
    assert sorted(context)[-2:] == pytest.approx([0.41, 0.44], abs=0.005)


def test_equal_counts_come_with_different_maps():
    assert Counter(KINDS) == {"all": 9, "one meaning": 8, "between": 3}
    row = look(HEADS[16], ALL).rows[1]  # the savings bank broke and was lost
    assert row[1] > 0.99
    assert look(HEADS[12], ALL).rows[1][2] == pytest.approx(0.90, abs=0.005)
    assert look(load_head(16, 20), ALL).rows[1].max() < 0.2
    assert right(load_head(12, 20)) == right(load_head(16, 20)) == 56


def test_the_same_map_is_needed_in_one_head_and_not_in_another():
    for seed, even in ((16, 56), (7, 28)):
        seen = look(HEADS[seed], ALL)
        assert seen.context.min() > 0.955
        changed = with_even_map(HEADS[seed], ALL)
        assert changed.right.sum() == even
        assert changed.answers.abs().min() > 0.2  # far from turning
    nine = [right_even(seed) for seed in SEEDS if KINDS[seed] == "all"]
    assert sorted(nine) == [28, 28, 28, 29, 36, 56, 56, 56, 56]


def right_even(seed):
    return int(with_even_map(HEADS[seed], ALL).right.sum())


def test_without_the_context_word_a_head_guesses_and_one_sided_ones_bluff():
    sizes = {}
    for seed in SEEDS:
        seen = with_unknown_context(HEADS[seed], ALL)
        assert seen.right.sum() == 28
        sizes.setdefault(KINDS[seed], []).append(float(seen.answers.abs().mean()))
    assert 0.05 < min(sizes["all"]) and max(sizes["all"]) < 0.75
    assert 4.5 < min(sizes["one meaning"]) and max(sizes["one meaning"]) < 7.5
    assert sum(abs(at_bank(head, "the bank broke")) > 5 for head in HEADS) == 11


@pytest.mark.parametrize("seed", SEEDS)
def test_under_the_causal_mask_the_word_that_comes_later_is_a_guess(seed):
    mask, later = causal_mask(7), ALL.context > ALL.at
    seen = look(HEADS[seed], ALL, mask)
    assert seen.right[~later].sum() == 32
    assert seen.right[later].sum() == 12
    assert torch.equal(seen.answers[later][0::2], seen.answers[later][1::2])


def test_training_under_the_mask_does_not_help_but_asking_at_the_last_word_does():
    mask, later = causal_mask(7), ALL.context > ALL.at
    last = ALL._replace(at=torch.full((56,), 6))
    for seed in (0, 7, 16):
        head = new_head(seed)
        train(head, TRAINED, 100, allowed=mask)
        assert right(head, ALL.take(later), mask) == 12
        assert right(head, ALL.take(~later), mask) == 32
        head = new_head(seed)
        train(head, last.take(~ALL.held_out), 100, allowed=mask)
        assert right(head, last, mask) == 56


def test_where_order_decides_a_head_needs_positions():
    read_most = 0
    for seed in SEEDS:
        without = load_ordered_head(seed, positions=False)
        seen = look(without, ORDERED)
        assert (int(seen.right.sum()), int(seen.right[MIXED].sum())) == (40, 16)
        head = load_ordered_head(seed, positions=True)
        seen = look(head, ORDERED)
        assert (seen.answers * ORDERED.meaning).min() > 5
        assert with_even_map(head, ORDERED).right[MIXED].sum() == 16  # here the map is needed
        read_most += bool((seen.rows.argmax(-1) == 6).all())
    assert read_most == 8


def test_each_mixed_sentence_and_its_exchange_get_one_answer_without_positions():
    head = load_ordered_head(0, positions=False)
    a = at_bank(head, "they lost the savings at the river bank")
    b = at_bank(head, "they lost the river at the savings bank")
    assert a == pytest.approx(b, abs=1e-5)


def test_the_ordered_heads_learn_again_what_is_shipped():
    for seed, n_places in ((0, 0), (0, 8)):
        head = learn(new_head(seed, n_places), ORDERED, 300, rate=1.0)[-1]
        shipped = load_ordered_head(seed, positions=bool(n_places))
        assert right(head, ORDERED) == right(shipped, ORDERED) == (56 if n_places else 40)


def test_a_head_or_step_that_is_not_shipped_is_refused():
    with pytest.raises(ValueError, match=r"seed: expected 0 to 19, got 20"):
        load_head(20)
    with pytest.raises(ValueError, match=r"step: expected one of .*, got 40"):
        load_head(0, 40)

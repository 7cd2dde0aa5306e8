import pytest
import torch

from attn_lab.models.sentence_texts import (
    KINDS,
    WORDS,
    accuracy,
    answers,
    ask_about,
    draw,
    exchange_adjectives,
    exchange_noun,
    is_held_out,
    lead,
    named_thing,
    places_of_nouns,
    share_present,
    spelled,
    texts,
    verbs,
)


def numbers(text):
    return torch.tensor([[WORDS.index(word) for word in text.split()]])


SUBJECT = numbers("the dogs near the old bell behind the cats often")
ASKED = numbers("the big clock behind the wet cat near the quiet boat what is wet")


def word(tokens):
    return [WORDS[token] for token in tokens.tolist()]


def test_in_the_worked_texts_the_dogs_bark_and_the_wet_cat_purrs():
    assert word(answers(SUBJECT)) == ["bark"]
    assert word(answers(ASKED)) == ["purrs"]
    assert named_thing(SUBJECT).tolist() == [1] and named_thing(ASKED).tolist() == [2]


def test_the_nouns_stand_where_they_are_read_and_each_has_a_verb_of_its_own():
    assert places_of_nouns(SUBJECT).tolist() == [[1, 5, 8]]
    assert places_of_nouns(ASKED).tolist() == [[2, 6, 10]]
    assert word(verbs(ASKED)[0]) == ["ticks", "purrs", "floats"]
    nouns = WORDS[WORDS.index("dog") : WORDS.index("old")]
    each = [numbers(f"the red {noun} near the old bell behind the wet cat") for noun in nouns]
    assert len({int(verbs(text)[0, 0]) for text in each}) == len(nouns) == 20


def test_asking_about_another_thing_changes_the_last_word_only():
    changed = ask_about(ASKED, 3)
    assert spelled(changed[0])[-1] == "quiet" and word(answers(changed)) == ["floats"]
    assert torch.equal(changed[:, :-1], ASKED[:, :-1])


def test_a_thing_outside_1_to_3_and_an_unknown_kind_are_refused():
    with pytest.raises(ValueError, match="thing: expected 1 to 3, got 0"):
        ask_about(ASKED, 0)
    with pytest.raises(ValueError, match="kind: expected one of subject, asked, got 'turned'"):
        draw("turned", 1, torch.Generator())


def test_an_exchanged_noun_is_new_to_its_text_and_brings_its_own_verb():
    tokens = texts("asked", 300, seed=3)
    changed = exchange_noun(tokens, named_thing(tokens), seed=1)
    assert ((changed != tokens).sum(-1) == 1).all()
    assert (named_thing(changed) == named_thing(tokens)).all()
    assert not (verbs(tokens) == answers(changed)[:, None]).any()


def test_exchanged_adjectives_leave_the_nouns_and_turn_the_answer():
    changed = exchange_adjectives(ASKED, 1, 2)
    assert spelled(changed[0])[:7] == ["the", "wet", "clock", "behind", "the", "big", "cat"]
    assert word(answers(changed)) == ["ticks"]


@pytest.mark.parametrize("kind", KINDS)
def test_three_different_things_are_named_and_an_exchange_of_number_is_not_a_new_one(kind):
    tokens = texts(kind, 2_000, seed=3)
    nouns = (tokens.gather(1, places_of_nouns(tokens)) - WORDS.index("dog")) // 2
    assert ((nouns >= 0) & (nouns < 10)).all()
    assert all(len(set(row)) == 3 for row in nouns.tolist())


def test_every_adjective_of_an_asked_text_differs_and_one_of_them_is_asked_for():
    tokens = texts("asked", 2_000, seed=3)
    adjectives = tokens[:, [1, 5, 9]]
    assert all(len(set(row)) == 3 for row in adjectives.tolist())
    assert (adjectives == tokens[:, -1:]).any(-1).all()


@pytest.mark.parametrize("kind", KINDS)
def test_held_out_texts_and_training_texts_never_meet(kind):
    assert is_held_out(texts(kind, 500, seed=4)).all()
    assert not is_held_out(texts(kind, 500, seed=4, held_out=False)).any()


def test_every_thing_is_asked_about_equally_often():
    counts = named_thing(texts("asked", 9_000, seed=5)).bincount()[1:]
    assert ((counts - 3_000).abs() < 150).all(), counts


def test_the_adjective_of_a_subject_text_stands_before_each_noun_equally_often():
    places = (texts("subject", 9_000, seed=5) == WORDS.index("red")).nonzero()[:, 1]
    counts = places.bincount()[[1, 4, 7]]
    assert ((counts - counts.double().mean()).abs() < 100).all(), counts


def test_a_seed_gives_the_same_texts_again_and_another_seed_others():
    assert torch.equal(texts("asked", 50, seed=6), texts("asked", 50, seed=6))
    assert not torch.equal(texts("asked", 50, seed=6), texts("asked", 50, seed=7))


def test_draw_leaves_the_global_random_state_alone():
    before = torch.random.get_rng_state()
    draw("subject", 10, torch.Generator().manual_seed(0))
    assert torch.equal(before, torch.random.get_rng_state())


def logits(**values):
    row = torch.zeros(len(WORDS))
    for name, value in values.items():
        row[WORDS.index(name)] = value
    return row


THREE = torch.stack(
    [logits(purrs=5.0, ticks=2.0), logits(purrs=1.0, floats=4.0), logits(sings=2.0)]
)


def test_the_lead_is_the_right_logit_minus_the_best_other_one():
    assert lead(THREE, ASKED.repeat(3, 1)).tolist() == [3.0, -3.0, -2.0]


def test_accuracy_counts_the_leads_above_0():
    assert accuracy(THREE, ASKED.repeat(3, 1)) == 1 / 3


def test_a_wrong_answer_may_still_be_the_verb_of_a_thing_that_is_there():
    assert share_present(THREE, ASKED.repeat(3, 1)) == 2 / 3

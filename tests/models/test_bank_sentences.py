from collections import Counter

import pytest

from attn_lab.models.bank_sentences import (
    MONEY,
    RIVER,
    WORDS,
    ordered_sentences,
    sentences,
    spelled,
    word_numbers,
)

ALL = sentences()
TEXTS = [spelled(tokens) for tokens in ALL.tokens]


def test_there_are_56_and_14_are_held_out():
    assert len(set(TEXTS)) == 56
    assert TEXTS[:2] == ["the river bank broke and was lost", "the savings bank broke and was lost"]
    assert ALL.held_out.sum() == 14
    assert (ALL.meaning > 0).sum() == 28


def test_the_words_are_in_the_order_from_which_heads_are_drawn():
    assert {word for text in TEXTS for word in text.split()} == set(WORDS)
    assert list(WORDS) == sorted(WORDS)
    assert len(WORDS) == 18


def test_places_and_meanings_are_those_of_the_words():
    for text, at, context, meaning in zip(TEXTS, ALL.at, ALL.context, ALL.meaning, strict=True):
        words = text.split()
        assert words[at] == "bank"
        assert words[context] in (RIVER if meaning > 0 else MONEY)
        assert len({*RIVER, *MONEY} & {*words}) == 1
        assert 1 <= abs(at - context) <= 5


def test_no_other_word_tells_the_banks_apart():
    trained = ALL.take(~ALL.held_out)
    for part in (ALL, trained):
        counts = {1.0: Counter(), -1.0: Counter()}
        for tokens, meaning in zip(part.tokens, part.meaning.tolist(), strict=True):
            counts[meaning].update(spelled(tokens).split())
        others = {*WORDS} - {*RIVER, *MONEY}
        assert all(counts[1.0][word] == counts[-1.0][word] for word in others)


def test_every_word_is_met_in_training():
    trained = ALL.take(~ALL.held_out)
    assert {word for tokens in trained.tokens for word in spelled(tokens).split()} == set(WORDS)


def test_the_context_word_stands_before_bank_in_32_and_after_it_in_24():
    assert (ALL.context < ALL.at).sum() == 32
    assert (ALL.context > ALL.at).sum() == 24


def test_where_order_decides_a_pair_has_the_same_words_and_the_other_meaning():
    ordered = ordered_sentences()
    texts = [spelled(tokens) for tokens in ordered.tokens]
    assert len(set(texts)) == 56
    mixed = 0
    for text, meaning, held_out in zip(texts, ordered.meaning, ordered.held_out, strict=True):
        words = text.split()
        words[3], words[6] = words[6], words[3]
        other = texts.index(" ".join(words))
        assert ordered.held_out[other] == held_out
        mixed += int(ordered.meaning[other] != meaning)
    assert mixed == 32
    assert [text.split()[7] for text in texts] == ["bank"] * 56


def test_an_unknown_word_is_named():
    with pytest.raises(ValueError, match="got 'stream'"):
        word_numbers("the stream bank")

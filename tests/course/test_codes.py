"""Codes carry one answer through a chat, and a code with a typing error is noticed."""

import random

import pytest
from msgspec.structs import replace

from attn_lab.course.codes import (
    ALPHABET,
    CONFIDENCES,
    codes_in,
    decode,
    encode,
    fingerprint,
    read_chat,
)
from attn_lab.course.kinds import Choice, NearMiss, Numbers, Option

COMMON = {"prompt": "?", "depth": "class", "minutes": 4, "explanation": "…"}
CHOICE = Choice(
    id="04/ripple", statements=("S8",),
    options=(Option("row-4", "Row 4", "…"), Option("all", "All", "…", "a")), **COMMON,
)  # fmt: skip
ROW = Numbers(
    id="05/first-row", statements=("S26",), labels=("k1", "k2"), tolerance=0.01,
    near_misses=(NearMiss("zeroed after", [0.27, 0.0], "…"),), **COMMON,
)  # fmt: skip
COURSE = [CHOICE, ROW]


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("round", [1, 2])
def test_a_code_gives_back_exercise_group_confidence_and_round(confidence, round):
    for question, answer, key in [
        (CHOICE, "row-4", "row-4"),
        (CHOICE, "all", "all"),
        (ROW, [0.268, 0.0], "zeroed after"),
        (ROW, [1, 0], "=" + fingerprint(ROW, [1, 0])),
    ]:
        said = decode(encode(question, answer, confidence, round, noise="id"), COURSE)
        assert (said.exercise, said.group.key) == (question.id, key)
        assert (said.confidence, said.round) == (confidence, round)


def test_a_code_looks_the_same_each_time_it_is_shown():
    assert encode(CHOICE, "all", "guess", 1, noise="a") == encode(
        CHOICE, "all", "guess", 1, noise="a"
    )


def test_equal_answers_do_not_look_equal_in_the_chat():
    codes = {encode(CHOICE, "all", "guess", 1, noise=str(n)) for n in range(60)}
    assert len(codes) > 20


def test_a_third_vote_is_a_second_one():
    assert decode(encode(CHOICE, "all", "guess", 7, noise="a"), COURSE).round == 2


def test_one_wrong_character_or_two_swapped_are_noticed():
    draw = random.Random(5)
    wrong = noticed = 0
    for n in range(300):
        question, answer = draw.choice([(CHOICE, "all"), (ROW, [0.27, 0]), (ROW, [1, 0])])
        code = encode(question, answer, "certain", 1, noise=str(n)).replace("-", "")
        place = draw.randrange(len(code) - 1)
        if draw.random() < 0.5:
            typo = code[:place] + draw.choice(ALPHABET) + code[place + 1 :]
        else:
            typo = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
        if typo != code:
            wrong += 1
            noticed += decode(typo, COURSE) is None
    assert wrong > 250
    assert noticed >= wrong - 1  # one in 841 fits by chance


def test_a_course_whose_options_have_moved_makes_codes_unreadable_not_wrong():
    moved = replace(CHOICE, options=CHOICE.options[::-1])
    read = [decode(encode(CHOICE, "all", "guess", 1, noise=str(n)), [moved]) for n in range(50)]
    assert all(said is None or said.group.key == "all" for said in read)


def test_numbers_that_round_to_the_same_share_a_code():
    assert fingerprint(ROW, [1, 0]) == fingerprint(ROW, [1.0, 0.001])
    assert fingerprint(ROW, [1, 0]) != fingerprint(ROW, [0.9, 0.1])


def test_codes_are_found_in_a_whole_chat_with_names_times_and_words():
    one = encode(CHOICE, "all", "guess", 1, noise="a")
    two = encode(ROW, [1, 0], "certain", 2, noise="b")
    chat = f"""[09:14] Ann-Marie Bakker: here you go {one.lower()}
        09:14 Bo: {two.replace("-", "")}  is that well-being?
        09:15 Bo: sorry, again {two}. https://example.org/abc{one}"""
    assert codes_in(chat).count(one) == 1
    assert codes_in(chat).count(two) == 2
    readable = [said for code in codes_in(chat) if (said := decode(code, COURSE))]
    assert [said.exercise for said in readable] == ["04/ripple", "05/first-row", "05/first-row"]


def test_ordinary_words_are_no_codes_and_a_code_without_its_dash_is_one():
    code = encode(CHOICE, "all", "guess", 1, noise="a")
    chat = f"The chapter, teacher Kathryn, a package: {code.replace('-', '').lower()} AAAA-AAA"
    [(_, read), (_, unreadable)] = read_chat(chat, COURSE)
    assert (read, unreadable) == (decode(code, COURSE), None)


def test_a_chat_that_made_the_dash_long_is_read():
    code = encode(CHOICE, "all", "guess", 1, noise="a")
    said = decode(code, COURSE)
    chat = code.replace("-", "–") + " " + code.replace("-", "—")
    assert [read for _, read in read_chat(chat, COURSE)] == [said, said]


def test_a_code_comes_after_what_leads_to_it_other_codes_left_out():
    one, two = (encode(CHOICE, "all", "guess", 1, noise=noise) for noise in "ab")
    chat = f"12:03 Ann: {one} no, {two}\nFrom Bo to all:\n\t{one}\n{two}"
    assert [before for before, _ in read_chat(chat, COURSE)] == [
        "\n12:03 Ann: ",
        "\n12:03 Ann:  no, ",
        "From Bo to all:\n\t",
        "\n",
    ]


def test_a_confidence_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="confidence: expected one of"):
        encode(CHOICE, "all", "sure", 1, noise="a")

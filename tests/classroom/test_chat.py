"""Each code of a chat counts once, whether it is posted twice or pasted in parts."""

from collections import Counter

import pytest

from attn_lab.classroom.count import chat as module
from attn_lab.classroom.count.chat import Chat
from attn_lab.course.codes import encode


@pytest.fixture
def codes(ripple):
    return [encode(ripple, "all", "guess", 1, noise=str(n)) for n in range(4)]


@pytest.fixture
def new(ripple):
    """How many new codes each part of a chat brings, one after the other."""
    kept = Chat()
    return lambda *parts: [kept.paste(part, [ripple])["new"] for part in parts]


def test_the_last_part_of_a_chat_again_removes_and_adds_nothing(new, codes):
    lines = [f"{name}: {code}" for name, code in zip("abcd", codes, strict=True)]
    assert new("\n".join(lines), "\n".join(lines[2:]), lines[0]) == [4, 0, 0]


@pytest.mark.parametrize(
    "twice",
    [
        "12:03 Ann: {0}\n12:05 Ann: sorry, again {0}",
        "12:03:10 From Ann to Everyone:\n\t{0}\n12:05:11 From Ann to Everyone:\n\t{0}",
        "Ann 12:59\n{0}\nAnn 1:01 PM\n{0}",
        "[09:14] Ann: {0} {0}",
    ],
)
def test_a_code_that_one_person_posts_twice_counts_once(new, codes, twice):
    assert new(twice.format(codes[0])) == [1]


def test_two_people_whose_codes_are_the_same_count_as_two_also_in_parts(new, codes):
    assert new(f"Ann: {codes[0]}\nBo: {codes[0]}", f"Eve: {codes[0]}\nBo: {codes[0]}") == [2, 1]


def test_codes_without_names_count_as_often_as_they_stand_in_one_paste(new, codes):
    one, two, *_ = codes
    assert new(f"{one}\n{one}\n{two}", f"{one} {two}", f"{one}\n" * 3) == [3, 0, 1]


def test_after_a_restart_the_same_chat_brings_nothing_new(ripple, codes):
    text = "\n".join(f"{name}: {code}" for name, code in zip("abcd", codes, strict=True))
    before = Chat()
    before.paste(text, [ripple])
    again = Chat(before.codes)
    assert again.paste(f"{text}\ne: {codes[0]}", [ripple])["new"] == 1
    assert len(again.codes) == 5


def test_more_codes_than_a_class_keeps_are_left_out_and_said(new, codes, ripple, monkeypatch):
    monkeypatch.setattr(module, "MOST_CODES", 3)
    told = Chat().paste("\n".join(codes), [ripple])
    assert (told["read"], told["new"], told["left_out"]) == (4, 3, 1)


def test_a_second_answer_counts_in_the_first_vote_while_the_second_is_not_open(ripple):
    """A slip that was corrected before anybody talked: the code says round 2, the room says 1."""
    slip, mended = (
        encode(ripple, *given, noise="ann")
        for given in [
            ("all", "guess", 1),
            ("row-4", "certain", 2),
        ]
    )
    later = encode(ripple, "column", "certain", 2, noise="ann")
    kept, chat = Chat(), f"Ann: {slip}\nBo: {slip}\nAnn: sorry, {mended}"

    def counted():
        return sorted((code.group.key, code.round) for code in kept.codes)

    kept.paste(f"Ann: {slip}\nBo: {slip}", [ripple], {ripple.id: 1})
    assert kept.paste(chat, [ripple], {ripple.id: 1})["new"] == 1
    assert counted() == [("all", 1), ("row-4", 1)]
    kept.paste(f"{chat}\nAnn: {later}", [ripple], {ripple.id: 2})
    assert counted() == [("all", 1), ("column", 2), ("row-4", 1)]
    again = Chat(kept.codes)  # the same chat after a restart
    again.paste(f"{chat}\nAnn: {later}", [ripple], {ripple.id: 2})
    assert Counter(again.codes) == Counter(kept.codes)


def test_where_no_vote_was_opened_a_code_counts_in_its_own_round(ripple):
    kept = Chat()
    kept.paste(encode(ripple, "row-4", "certain", 2, noise="ann"), [ripple])
    assert [code.round for code in kept.codes] == [2]

"""The spread has at most five bars, hides the few, and keeps its bars from round to round."""

import json

from hypothesis import given
from hypothesis import strategies as st

from attn_lab.classroom.count.spread import HIDE_BELOW, MOST_BARS, SPLIT_FROM, spread
from attn_lab.classroom.count.votes import Grouping, Vote, from_hands

from ..helpers.class_server import FIRST_ROW, RIPPLE


def _votes(question, answers):
    return Grouping(question).votes(answers)[0]


def _room(question, **counts):
    keys = {group.key.replace("-", "_"): group for group in question.groups()}
    return [Vote(keys[key], "certain") for key, n in counts.items() for _ in range(n)]


def test_options_stand_in_the_order_in_which_they_were_asked(ripple):
    told = spread(ripple, [_room(ripple, column=9, row_4=3)])
    assert [(bar.key, bar.counts) for bar in told.bars] == [
        ("row-4", (3,)),
        ("all", (0,)),
        ("column", (9,)),
    ]
    assert told.other == (0,)


def test_an_option_that_two_people_took_is_not_shown_as_theirs_and_counted_once(ripple):
    told = spread(ripple, [_room(ripple, column=9, row_4=2, all=1)])
    assert [bar.counts for bar in told.bars] == [(None,), (None,), (9,)]
    assert told.other == (0,)  # they have their bars


def test_other_is_hidden_too_while_it_stands_for_two(first_row):
    answers = [([1, 0, 0, 0], "guess")] * 9 + [([0.7, 0, 0, 0], "guess")] * 2
    told = spread(first_row, [_votes(first_row, answers)])
    assert ([bar.counts for bar in told.bars], told.other) == ([(9,)], (None,))


def test_an_unnamed_answer_of_two_people_is_spelled_nowhere(first_row):
    answers = [([1, 0, 0, 0], "guess")] * 3 + [([0.5, 0.5, 0, 0], "guess")] * 2
    told = spread(first_row, [_votes(first_row, answers)])
    assert "0.5" not in json.dumps(told.for_desk())
    assert [bar.label for bar in told.bars] == ["1, 0, 0, 0"]


def test_both_rounds_share_their_bars(ripple):
    told = spread(ripple, [_room(ripple, all=10, row_4=4), _room(ripple, all=3, row_4=11)])
    assert [bar.counts for bar in told.bars] == [(4, 11), (10, 3), (0, 0)]
    assert told.answered == (14, 14)


def test_a_sixth_answer_is_part_of_other(first_row):
    rows = [[n / 10, 0, 0, 0] for n in range(1, 8)]
    answers = [(row, "guess") for n, row in enumerate(rows) for _ in range(10 - n)]
    told = spread(first_row, [_votes(first_row, answers)])
    assert len(told.bars) == MOST_BARS
    assert told.bars[0].counts == (10,)
    assert told.other == (5 + 4,)


def test_sureness_is_told_from_twenty_answers_on(ripple):
    assert spread(ripple, [_room(ripple, all=19)]).sure == (None,)
    told = spread(ripple, [_room(ripple, all=17, row_4=3)])
    assert told.sure == ({"guess": 0, "fairly sure": 0, "certain": 20},)
    assert [bar.certain for bar in told.bars] == [(3,), (17,), (None,)]


def test_hands_say_nothing_of_how_sure_anybody_was(ripple):
    told = spread(ripple, [from_hands(ripple, {"all": 10, "row-4": 20})], hide_below=1)
    assert [bar.certain for bar in told.bars] == [(None,), (None,), (None,)]


def test_raised_hands_are_shown_as_they_were_counted(ripple):
    told = spread(ripple, [from_hands(ripple, {"all": 1, "row-4": 30})], hide_below=1)
    assert [bar.counts for bar in told.bars] == [(30,), (1,), (0,)]
    assert told.sure == (None,)


def test_the_stage_gets_neither_the_mistakes_name_nor_the_misconceptions(first_row):
    answers = [([0.266, 0, 0, 0], "certain")] * 30
    said = json.dumps(spread(first_row, [_votes(first_row, answers)]).for_stage())
    assert "0.266, 0, 0, 0" in said
    assert "zeroed" not in said
    assert "mask-after-softmax" not in said


_ANSWERS = {
    RIPPLE.id: st.sampled_from(["row-4", "all", "column"]),
    FIRST_ROW.id: st.lists(st.sampled_from([0, 0.266, 0.5, 1]), min_size=4, max_size=4),
}


@given(st.data())
def test_nobody_is_lost_and_nobody_is_singled_out(data):
    question = data.draw(st.sampled_from([RIPPLE, FIRST_ROW]))
    sure = st.sampled_from(["guess", "fairly sure", "certain"])
    one = st.lists(st.tuples(_ANSWERS[question.id], sure), max_size=60)
    rounds = [data.draw(one), data.draw(one)]
    told = spread(question, [_votes(question, answers) for answers in rounds])
    assert len(told.bars) <= MOST_BARS
    for i, answers in enumerate(rounds):
        counts = [*(bar.counts[i] for bar in told.bars), told.other[i]]
        assert all(count is None or count == 0 or count >= HIDE_BELOW for count in counts)
        hidden = counts.count(None)
        unseen = len(answers) - sum(count or 0 for count in counts)
        assert told.answered[i] == len(answers)
        assert hidden <= unseen <= hidden * (HIDE_BELOW - 1)
        assert (told.sure[i] is None) == (len(answers) < SPLIT_FROM)

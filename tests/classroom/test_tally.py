"""Votes from notebooks, codes and hands add up, and the rule of thumb follows the computed one."""

import pytest

from attn_lab.classroom.count.tally import Given, advice, computed_key, known_hands, tally
from attn_lab.classroom.count.votes import Grouping
from attn_lab.course.codes import decode, encode


def _tally(question, *given):
    return tally(Given(Grouping(question), *given))


def _row(learner, answer, round=1):
    row = {"learner": learner, "answer": answer, "round": round, "vote": None}
    return row | {"seen": False, "confidence": "certain"}


def test_votes_of_every_source_add_up(ripple):
    rows = [_row(str(n), "all") for n in range(4)]
    codes = [decode(encode(ripple, "all", "guess", 1, noise=str(n)), [ripple]) for n in range(2)]
    told = _tally(ripple, rows, codes, {"1": {"all": 1, "row-4": 3}})
    assert [bar.counts for bar in told.spread.bars] == [(3, 0), (7, 0), (0, 0)]
    assert told.sources[0] == {"sent": 4, "codes": 2, "hands": 4}


def test_hands_alone_hide_nothing_since_the_room_has_seen_them(ripple):
    told = _tally(ripple, [], [], {"1": {"all": 1, "row-4": 20}, "2": {"all": 2, "row-4": 19}})
    assert [bar.counts for bar in told.spread.bars] == [(20, 19), (1, 2), (0, 0)]


def test_the_share_is_that_of_the_latest_round(ripple):
    rows = [_row(str(n), "all" if n < 8 else "row-4") for n in range(10)]
    assert _tally(ripple, rows, [], {}).share("all", 0) == 0.8
    later = [_row(str(n), "row-4", round=2) for n in range(5)]
    assert _tally(ripple, rows + later, [], {}).share("row-4", 1) == 1.0


def test_the_few_who_are_right_have_a_share(ripple):
    rows = [_row(str(n), "all" if n < 8 else "row-4") for n in range(10)]
    assert _tally(ripple, rows, [], {}).share("row-4", 0) == 0.2
    assert _tally(ripple, [], [], {}).share("row-4", 0) is None


@pytest.mark.parametrize(
    ("share", "begins"),
    [(0.81, "Mostly as"), (0.8, "Between"), (0.3, "Between"), (0.29, "Mostly an")],
)
def test_the_rule_of_thumb_has_three_bands(share, begins):
    assert advice(share).startswith(begins)


def test_a_solo_question_and_a_second_vote_are_run_whatever_the_share():
    for share in (None, 0.1, 0.5, 0.9):
        assert advice(share, discuss=False).startswith("Solo: when all are in, run")
        assert advice(share, again=True).startswith("Second vote: when all are in, run")


def test_hands_can_be_raised_for_the_computed_answer_which_the_data_do_not_hold(legal):
    hands = {"1": {"computed": 6, "not itself": 4}}
    told = _tally(legal, [], [], hands)
    bar = told.spread.bars[0]
    assert (bar.label, bar.counts) == ("as computed", (6, 0))
    assert told.share(computed_key(Given(Grouping(legal), hands=hands)), 0) == 0.6
    assert computed_key(Given(Grouping(legal), hands={"1": {"other": 3}})) is None


def test_hands_for_the_computed_answer_join_the_marked_bar(legal):
    rows = [_row(str(n), [[1, 0], [1, 1]]) for n in range(3)]
    marked = _tally(legal, rows, [], {}).spread.bars[0].key
    [bar] = _tally(legal, rows, [], {"1": {"computed": 2}}, marked).spread.bars
    assert (bar.key, bar.label, bar.counts) == (marked, "■□ / ■■", (5, 0))


def test_the_options_of_a_choice_need_no_hands_for_the_computed_answer(ripple, legal):
    with pytest.raises(ValueError, match="counts: expected"):
        known_hands(ripple, {"computed": 1})
    assert known_hands(legal, {"computed": 1}) == {"computed": 1}


def test_the_computed_option_is_the_only_one_that_is_no_misconception(ripple, first_row):
    assert computed_key(Given(Grouping(ripple))) == "row-4"
    assert computed_key(Given(Grouping(ripple), marked="all")) == "all"
    assert computed_key(Given(Grouping(first_row))) is None


@pytest.mark.parametrize("counts", [[], {"none": 1}, {"all": -1}, {"all": True}, {"all": 1000}])
def test_hands_that_no_room_has_are_refused(ripple, counts):
    with pytest.raises(ValueError, match="counts: expected"):
        known_hands(ripple, counts)

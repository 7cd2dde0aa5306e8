"""Votes from notebooks, codes and hands add up, and the rule of thumb follows the computed one."""

import pytest

from attn_lab.classroom.tally import advice, computed_key, known_hands, tally
from attn_lab.course.response_codes import decode, encode


def _row(learner, answer, round=1):
    row = {"learner": learner, "answer": answer, "round": round}
    return row | {"seen": False, "confidence": "certain"}


def test_votes_of_every_source_add_up(ripple):
    rows = [_row(str(n), "all") for n in range(4)]
    codes = [decode(encode(ripple, "all", "guess", 1, noise=str(n)), [ripple]) for n in range(2)]
    told = tally(ripple, rows, codes, {"1": {"all": 1, "row-4": 3}})
    assert [bar.counts for bar in told.spread.bars] == [(3, 0), (7, 0), (0, 0)]
    assert told.sources[0] == {"sent": 4, "codes": 2, "hands": 4}


def test_hands_alone_hide_nothing_since_the_room_has_seen_them(ripple):
    told = tally(ripple, [], [], {"1": {"all": 1, "row-4": 20}, "2": {"all": 2, "row-4": 19}})
    assert [bar.counts for bar in told.spread.bars] == [(20, 19), (1, 2), (0, 0)]


def test_the_share_is_that_of_the_latest_round(ripple):
    rows = [_row(str(n), "all" if n < 8 else "row-4") for n in range(10)]
    assert tally(ripple, rows, [], {}).share("all") == 0.8
    later = [_row(str(n), "row-4", round=2) for n in range(5)]
    assert tally(ripple, rows + later, [], {}).share("row-4") == 1.0


def test_a_hidden_count_gives_no_share(ripple):
    rows = [_row(str(n), "all" if n < 8 else "row-4") for n in range(10)]
    assert tally(ripple, rows, [], {}).share("row-4") is None
    assert tally(ripple, [], [], {}).share("row-4") is None


@pytest.mark.parametrize(
    ("share", "begins"),
    [(0.81, "Mostly as"), (0.8, "Between"), (0.3, "Between"), (0.29, "Mostly an")],
)
def test_the_rule_of_thumb_has_three_bands(share, begins):
    assert advice(share).startswith(begins)


def test_the_computed_option_is_the_only_one_that_is_no_misconception(ripple, first_row):
    assert computed_key(ripple, None) == "row-4"
    assert computed_key(ripple, "all") == "all"
    assert computed_key(first_row, None) is None


@pytest.mark.parametrize("counts", [[], {"none": 1}, {"all": -1}, {"all": True}, {"all": 1000}])
def test_hands_that_no_room_has_are_refused(ripple, counts):
    with pytest.raises(ValueError, match="counts: expected"):
        known_hands(ripple, counts)

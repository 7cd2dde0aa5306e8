"""Votes come from answers, chats and raised hands: the first answer, and the last one after it."""

from attn_lab.classroom.count.votes import (
    Grouping,
    Vote,
    from_codes,
    from_hands,
    rounds_of,
)
from attn_lab.course.codes import decode, encode, fingerprint


def _votes(question, answers):
    return Grouping(question).votes(answers)[0]


def test_answers_become_their_named_groups(ripple, first_row):
    votes = _votes(ripple, [("all", "certain"), ("row-4", "guess")])
    assert [(v.group.key, v.confidence) for v in votes] == [("all", "certain"), ("row-4", "guess")]
    votes = _votes(first_row, [([0.27, 0, 0, 0], "certain")])
    assert votes[0].group.meaning == "zeroed after softmax"


def test_unnamed_answers_within_the_tolerance_count_as_the_most_frequent_of_them(first_row):
    rows = [[0.991, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0.9, 0.1, 0, 0]]
    votes = _votes(first_row, [(row, "guess") for row in rows])
    assert [vote.group.label for vote in votes] == ["1, 0, 0, 0"] * 3 + ["0.9, 0.1, 0, 0"]


def test_a_row_and_a_code_for_it_are_one_group(first_row):
    code = encode(first_row, [1, 0, 0, 0], "certain", 1, noise="a")
    said = decode(code, [first_row])
    [coded] = from_codes([said], "05/first-row", 1)
    [sent] = _votes(first_row, [([1.0, 0, 0, 0], "certain")])
    assert coded.group.key == sent.group.key == "=" + fingerprint(first_row, [1, 0, 0, 0])


def test_codes_count_for_their_own_exercise_and_round_only(ripple, first_row):
    said = [
        decode(encode(ripple, "all", "guess", round, noise=str(round)), [ripple])
        for round in (1, 2, 2)
    ]
    assert len(from_codes(said, "04/ripple", 1)) == 1
    assert len(from_codes(said, "04/ripple", 2)) == 2
    assert from_codes(said, "05/first-row", 1) == []


def test_hands_are_votes_without_a_confidence(ripple):
    votes = from_hands(ripple, {"all": 2, "other": 1})
    assert [vote.group.key for vote in votes] == ["all", "all", "="]
    assert votes[0] == Vote(votes[0].group, None)


def test_two_cells_or_shapes_are_alike_only_when_equal(legal, split):
    votes = _votes(legal, [([[1, 0], [1, 1]], "guess"), ([[1, 1], [1, 1]], "guess")])
    assert [vote.group.label for vote in votes] == ["■□ / ■■", "■■ / ■■"]
    votes = _votes(split, [([8, 4, 64], "guess"), ([8, 4], "guess")])
    assert [vote.group.label for vote in votes] == ["8 × 4 × 64", "8 × 4"]


def _row(learner, round, answer, seen=False, vote=None):
    return {
        "learner": learner,
        "round": round,
        "answer": answer,
        "seen": seen,
        "vote": vote,
        "confidence": "guess",
    }


def test_the_last_answer_after_the_first_is_the_second_vote():
    told = rounds_of([_row("a", 1, "row-4"), _row("a", 2, "all"), _row("a", 3, "column")])
    assert told.first["a"]["answer"] == "row-4"
    assert told.second["a"]["answer"] == "column"


def test_an_answer_that_comes_late_counts_in_its_own_round():
    told = rounds_of([_row("a", 2, "all"), _row("a", 1, "row-4")])
    assert (told.first["a"]["answer"], told.second["a"]["answer"]) == ("row-4", "all")


def test_a_second_first_answer_does_not_replace_the_first():
    told = rounds_of([_row("a", 1, "row-4"), _row("a", 1, "all")])
    assert told.first["a"]["answer"] == "row-4"


def test_an_answer_given_after_the_result_counts_in_neither_round():
    told = rounds_of([_row("a", 1, "all", seen=True), _row("b", 2, "all", seen=True)])
    assert (told.first, told.second, told.practised) == ({}, {}, 2)


def test_unnamed_answers_are_alike_over_both_rounds(first_row):
    rows = [_row("a", 1, [1, 0, 0, 0]), _row("b", 1, [1, 0, 0, 0]), _row("a", 2, [0.995, 0, 0, 0])]
    (one, two, _), _ = rounds_of(rows).votes(Grouping(first_row))
    assert {vote.group.label for vote in one + two} == {"1, 0, 0, 0"}
    assert (len(one), len(two)) == (2, 1)


def test_within_one_vote_the_last_answer_counts_whatever_the_learners_own_count():
    rows = [_row("a", 1, "all", vote="first"), _row("a", 2, "row-4", vote="first")]
    told = rounds_of([*rows, _row("b", 1, "column", vote="second")])
    assert [row["answer"] for row in told.first.values()] == ["row-4"]
    assert [row["answer"] for row in told.second.values()] == ["column"]


def test_an_answer_that_came_late_counts_in_no_vote_and_leaves_the_earlier_one():
    rows = [_row("a", 1, "all", vote="first"), _row("a", 2, "row-4", vote="late")]
    told = rounds_of([*rows, _row("b", 1, "row-4", vote="late")])
    assert (told.first["a"]["answer"], told.second) == ("all", {})
    assert set(told.late) == {"a", "b"}


def test_a_class_from_before_keeps_its_rounds_and_goes_on_with_the_rooms():
    rows = [_row("a", 1, "all"), _row("a", 2, "row-4"), _row("b", 1, "all")]
    told = rounds_of([*rows, _row("b", 1, "column", vote="second")])
    assert {who: row["answer"] for who, row in told.first.items()} == {"a": "all", "b": "all"}
    assert {who: row["answer"] for who, row in told.second.items()} == {"a": "row-4", "b": "column"}

"""A learner's first answer is round 1, the last one after it is round 2, practice is neither."""

from attn_lab.classroom.rounds import rounds_of


def _row(learner, round, answer, seen=False):
    return {
        "learner": learner,
        "round": round,
        "answer": answer,
        "seen": seen,
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
    assert (told.first, told.second, told.seen) == ({}, {}, (1, 1))


def test_unnamed_answers_are_alike_over_both_rounds(first_row):
    rows = [_row("a", 1, [1, 0, 0, 0]), _row("b", 1, [1, 0, 0, 0]), _row("a", 2, [0.995, 0, 0, 0])]
    one, two = rounds_of(rows).votes(first_row)
    assert {vote.group.label for vote in one + two} == {"1, 0, 0, 0"}
    assert (len(one), len(two)) == (2, 1)

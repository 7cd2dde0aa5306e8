"""Answers in numbers are grouped as by comparing each with each, in far fewer comparisons."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from attn_lab.classroom.count.tally import Given, by_source
from attn_lab.classroom.count.votes import Grouping
from attn_lab.course.codes import decode, encode, fingerprint
from attn_lab.course.kinds import Numbers

from ..helpers.class_server import FIRST_ROW

SHARES = replace(FIRST_ROW, tolerance=0.1, relative=True)
WIDE = replace(FIRST_ROW, tolerance=1.5, relative=True)


def _one_by_one(question, answers):
    """The first centre within reach of each answer: each is compared with each."""
    centre = {}
    for answer in answers:
        centres = [each for each in centre if centre[each] is each]
        near = (each for each in centres if question.difference(answer, each) <= 1)
        centre[answer] = next(near, answer)
    return centre


def _rows(n, seed=1):
    draw = random.Random(seed)
    return [[round(draw.random(), 4) for _ in range(4)] for _ in range(n)]


_NUMBERS = st.one_of(
    st.sampled_from([0, 0.01, 0.02, 0.5, 0.51, 1, -1, 1e-9, 1e18, -1e18]),
    st.floats(-2, 2),
    st.floats(-1e6, 1e6),
)


@given(st.data(), st.sampled_from([FIRST_ROW, SHARES, WIDE]))
def test_every_answer_has_the_centre_that_comparing_each_with_each_gives(data, question):
    row = st.tuples(_NUMBERS, st.sampled_from([0, 0.005, 0.01, 0.1]))
    answers = list(dict.fromkeys(data.draw(st.lists(row, max_size=40))))
    near = [(a * 1.1, b + 0.01) for a, b in answers] + [(a + 0.01, b) for a, b in answers]
    answers = list(dict.fromkeys([*answers, *near]))
    assert question.centres(answers) == _one_by_one(question, answers)


@pytest.mark.parametrize("question", [FIRST_ROW, SHARES], ids=["absolute", "relative"])
def test_a_thousand_different_answers_take_few_comparisons(question, monkeypatch):
    compared, real = [0], Numbers.difference

    def counted(self, one, other):
        compared[0] += 1
        return real(self, one, other)

    for answers in (_rows(1000), [[1, 0, 0, row[0]] for row in _rows(1000)]):
        compared[0] = 0
        with monkeypatch.context() as patched:
            patched.setattr(Numbers, "difference", counted)
            found = question.centres(tuple(row) for row in answers)
        assert compared[0] < 10 * len(found)  # 250,000 and more, each with each


def test_what_an_answer_is_called_is_found_once_however_often_a_page_asks(first_row, monkeypatch):
    asked, real = [], type(first_row).group_of

    def counted(self, answer):
        asked.append(answer)
        return real(self, answer)

    monkeypatch.setattr(type(first_row), "group_of", counted)
    grouping = Grouping(first_row)
    given = [(row, "guess") for row in _rows(50)]
    for n in (40, 40, 50):
        grouping.votes(given[:n])
    assert len(asked) == 50


def test_two_answers_whose_short_marks_are_the_same_are_two(first_row):
    of, pair = {}, None
    for row in _rows(2000):
        other = of.setdefault(fingerprint(first_row, row), row)
        if first_row.difference(row, other) > 1:
            pair = (other, row)
            break
    votes, _ = Grouping(first_row).votes([(row, "guess") for row in pair])
    assert len({vote.group.key for vote in votes}) == 2


def test_a_code_counts_with_the_answers_that_its_own_answer_is_among(first_row):
    rows = [([1, 0, 0, 0], "guess")] * 3 + [([0.993, 0, 0, 0], "guess")]
    code = decode(encode(first_row, [0.993, 0, 0, 0], "guess", 1, noise="a"), [first_row])
    sent = [
        {"learner": n, "answer": answer, "confidence": sure, "seen": False, "vote": "first"}
        for n, (answer, sure) in enumerate(rows)
    ]
    first, _, _ = by_source(Given(Grouping(first_row), sent, [code]))
    assert [vote.group.label for vote in (*first["sent"], *first["codes"])] == ["1, 0, 0, 0"] * 5

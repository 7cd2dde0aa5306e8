"""The computed answer is known from the reference edition: counted, told to few, practised."""

import json
import random

import pytest
from msgspec.structs import asdict

from attn_lab.classroom.count.tally import NOT_SHOWN, Given, tally
from attn_lab.classroom.count.votes import Grouping
from attn_lab.classroom.rehearsal import LEARNERS, _answer
from attn_lab.classroom.server.events import desk, stage
from attn_lab.classroom.server.room import Room
from attn_lab.classroom.wire import Answer, read_answer
from attn_lab.course.questions import questions
from attn_lab.course.reference import computed_answers

RIGHT = {"05/first-row": [1.0, 0.0, 0.0, 0.0], "04/legal": [[1, 0], [1, 1]], "07/split": [8, 4, 64]}
WRONG = {"05/first-row": [0.266, 0, 0, 0], "04/legal": [[0, 0], [1, 0]], "07/split": [4, 64, 8]}


@pytest.fixture
def knowing(room):
    """The room, told what the reference edition computed."""
    return Room(room.database, room.course, right=RIGHT)


def _fill(room, exercise, answers):
    room.move("first", exercise)
    for n, answer in enumerate(answers):
        room.take(f"learner {n}", Answer(f"answer-{n:06}", exercise, 1, False, answer, "guess"))


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.id)
def test_the_right_answer_to_every_question_is_known_and_is_no_misconception(question):
    right = Grouping(question, computed_answers()[question.id]).right
    assert right.misconception is None
    assert question.sure_key in (None, right.key)


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.id)
def test_in_a_rehearsal_the_right_answer_to_every_question_occurs(question):
    right, draw = computed_answers(), random.Random(1)
    answers = [_answer(question, draw, None, right) for _ in range(LEARNERS)]
    rows = []
    for n, said in enumerate(answers):
        body = asdict(Answer(f"invented-{n:04}", question.id, 1, False, said, "guess"))
        taken = read_answer(json.dumps(body).encode(), {question.id: question}).answer
        row = {"learner": n, "vote": "first", "seen": False, "round": 1}
        rows.append(row | {"answer": taken, "confidence": "guess"})
    grouping = Grouping(question, right[question.id])
    share = tally(Given(grouping, rows)).share(grouping.right.key, 0)
    assert 0.1 < share < 0.9


@pytest.mark.parametrize("exercise", RIGHT)
def test_every_kind_has_its_share_without_a_mark(knowing, exercise):
    _fill(knowing, exercise, [RIGHT[exercise]] * 4 + [WRONG[exercise]] * 16)
    said = desk(knowing.view())
    assert said["share"] == 0.2
    assert said["share_said"] == "20 % as computed."
    assert said["computed"] in [bar["key"] for bar in said["spread"]["bars"]]


def test_what_is_within_reach_counts_as_computed_though_nobody_gave_it_exactly(knowing):
    _fill(knowing, "05/first-row", [[0.995, 0, 0, 0]] * 3 + [[0.266, 0, 0, 0]])
    said = desk(knowing.view())
    assert said["share"] == 0.75
    assert [bar["label"] for bar in said["spread"]["bars"]] == ["1, 0, 0, 0"]


@pytest.mark.parametrize(("right", "count"), [(0, 3), (1, 4), (2, 9)])
def test_few_people_are_told_how_many_of_them_were_right_and_what_fits(knowing, right, count):
    answers = [RIGHT["05/first-row"]] * right + [WRONG["05/first-row"]] * (count - right)
    _fill(knowing, "05/first-row", answers)
    said = desk(knowing.view())
    assert said["share_said"] == f"{right} of {count} as computed."
    assert said["advice"]
    assert (
        said["spread"]["bars"] == []
        or min(n for bar in said["spread"]["bars"] for n in bar["counts"][:1] if n) >= 3
    )


def test_one_or_two_people_are_not_told(knowing):
    _fill(knowing, "05/first-row", [RIGHT["05/first-row"]] * 2)
    assert (desk(knowing.view())["share"], desk(knowing.view())["share_said"]) == (None, "")


def test_hands_for_the_computed_answer_count_as_it(knowing):
    knowing.move("first", "04/legal")
    knowing.raise_hands("04/legal", 1, {"computed": 6, "not itself": 4})
    said = desk(knowing.view())
    assert said["share"] == 0.6
    assert ("■□ / ■■", (6, 0)) in [(bar["label"], bar["counts"]) for bar in said["spread"]["bars"]]


def test_a_computed_answer_that_has_no_bar_is_told_in_words(knowing):
    _fill(knowing, "05/first-row", [WRONG["05/first-row"]] * 5)
    knowing.move("shown")
    assert "1, 0, 0, 0" not in json.dumps(stage(knowing.view()))
    knowing.tell(True)
    assert stage(knowing.view())["elsewhere"] == "Computed: 1, 0, 0, 0"


def test_the_instructors_mark_is_stronger_than_what_is_known(knowing):
    _fill(knowing, "05/first-row", [WRONG["05/first-row"]] * 5 + [RIGHT["05/first-row"]] * 5)
    knowing.mark("05/first-row", NOT_SHOWN)
    assert desk(knowing.view())["computed"] == NOT_SHOWN

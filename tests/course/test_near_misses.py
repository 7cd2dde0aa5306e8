"""Every near miss of the course is what its mistake gives, and no two of them can be confused.

Where a near miss names an entry of the bank of wrong implementations, that entry recomputes it:
BANK in `near_misses/of_NN.py` says on which numbers. The others are recomputed by a function
there, under the same name in NEAR_MISSES.
"""

import runpy
from itertools import combinations
from pathlib import Path

import pytest

from attn_lab.course.kinds.answer import as_lists
from attn_lab.course.misconceptions import misconceptions
from attn_lab.course.questions import questions
from attn_lab.grade.mistakes import BANK, mistake
from attn_lab.grade.mistakes.wrong_masks import JOINED
from attn_lab.grade.tasks.row_tasks import KEPT_WHOLE

FOLDER = Path(__file__).parent / "near_misses"
TABLES = {path.stem[3:]: runpy.run_path(str(path)) for path in sorted(FOLDER.glob("of_*.py"))}
CASES = [
    (question, miss) for question in questions() for miss in getattr(question, "near_misses", ())
]
BANKED = [(question, miss) for question, miss in CASES if miss.mistake]


def table(question, name):
    return TABLES.get(question.notebook, {}).get(name, {}).get(question.id, {})


def recomputed(question, miss):
    if miss.mistake:
        setting = table(question, "BANK")
        assert setting, f"say in near_misses/of_{question.notebook}.py how the bank is run"
        return setting(mistake(miss.mistake).run)
    functions = table(question, "NEAR_MISSES")
    assert miss.name in functions, f"add it to near_misses/of_{question.notebook}.py"
    return functions[miss.name]()


def rounded_like(value, written):
    """The value with as many decimals as the written one has."""
    decimals = max(len(text.partition(".")[2]) for text in map(repr, flat(written)))
    if all(isinstance(each, int) for each in flat(written)):
        decimals = 0
    return [round(float(each), decimals) + 0.0 for each in flat(as_lists(value))]


def flat(value):
    return [x for each in value for x in flat(each)] if isinstance(value, list) else [value]


@pytest.mark.parametrize(("question", "miss"), CASES, ids=[f"{q.id}: {m.name}" for q, m in CASES])
def test_a_near_miss_is_what_its_mistake_gives(question, miss):
    value = as_lists(recomputed(question, miss))
    if question.kind != "numbers":
        assert value == miss.value
    assert rounded_like(value, miss.value) == [float(each) for each in flat(miss.value)]


@pytest.mark.parametrize(("question", "miss"), BANKED, ids=[f"{q.id}: {m.name}" for q, m in BANKED])
def test_a_near_miss_and_its_mistake_stand_for_the_same_misconception(question, miss):
    assert mistake(miss.mistake).misconception == miss.misconception


@pytest.mark.parametrize("number", TABLES)
def test_no_function_is_left_over_from_a_near_miss_that_is_gone(number):
    known = {
        question.id: {m.name for m in getattr(question, "near_misses", ())}
        for question in questions(number)
    }
    for id, functions in TABLES[number]["NEAR_MISSES"].items():
        assert set(functions) <= known[id], id


def test_every_misconception_is_somebodys():
    named = {each.misconception for q in questions() for each in q.named}
    assert set(misconceptions()) == (
        named | {entry.misconception for entry in (*BANK, *JOINED, KEPT_WHOLE)}
    ) - {None}


@pytest.mark.parametrize("question", {q.id: q for q, _ in CASES}.values(), ids=lambda q: q.id)
def test_near_misses_lie_further_apart_than_the_tolerance(question):
    for one, other in combinations(question.near_misses, 2):
        assert question.difference(one.value, other.value) > 1, (one.name, other.name)


@pytest.mark.parametrize("question", {q.id: q for q, _ in CASES}.values(), ids=lambda q: q.id)
def test_no_near_miss_is_the_right_answer(question):
    right = table(question, "RIGHT")
    assert right, f"near_misses/of_{question.notebook}.py needs the right answer to compare with"
    for miss in question.near_misses:
        assert question.difference(miss.value, as_lists(right())) > 1, miss.name


def test_the_comparison_can_fail():
    assert rounded_like([0.2656, 0.0], [0.266, 0]) == [0.266, 0.0]
    assert rounded_like([0.2670, 0.0], [0.266, 0]) != [0.266, 0.0]
    assert rounded_like([0.4, 0.6], [0, 1]) == [0.0, 1.0]

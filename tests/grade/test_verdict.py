"""A verdict is one display, says the first thing that differs, and is kept in the store."""

import re

import pytest
import torch

from attn_lab import grade, split_heads
from attn_lab.course.misconceptions import misconceptions
from attn_lab.course.tasks import tasks
from attn_lab.grade.graders import GRADERS
from attn_lab.grade.verdict import LEADS, TYPED, shown
from attn_lab.record import TaskResult, open_store
from attn_lab.record.history import made


def exponentials(scores):
    return torch.tensor(scores, dtype=torch.float64).exp()


def right(scores):
    return torch.tensor(scores, dtype=torch.float64).softmax(-1)


def stub(scores):
    return ...


MESSAGE = """\
Make 01/softmax-row: not yet

The first difference comes with three small scores. The weights differ.

scores = [0.5, 0, -1]

          key 1  key 2  key 3
expected  0.547  0.331  0.122
got       1.649  1.000  0.368

The same comes out of a known mistake, “not normalised”. The exponentials \
are used as weights.

The code follows the rule “the exponentials are the weights”. That rule would hold if the \
exponentials already added to 1. Check: What do these numbers add to?"""


def test_the_message_says_input_expected_got_mistake_and_question():
    assert grade.check("softmax_row", exponentials).message == MESSAGE


def test_the_text_is_the_same_each_time_and_the_html_says_the_same():
    verdict = grade.check("softmax_row", exponentials)
    forms = verdict._repr_mimebundle_()
    assert forms["text/plain"] == repr(verdict) == repr(grade.check("softmax_row", exponentials))
    bare = re.sub(r"<[^>]*>", " ", forms["text/html"])
    for word in re.findall(r"\w+", MESSAGE):
        assert word in bare
    assert not re.search(r"<(h[1-6]|svg|script)", forms["text/html"])


def test_the_first_difference_is_in_the_weights_before_the_output_made_of_them():
    def columns(q, k, v):
        weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-2)
        return weights @ v, weights

    assert "The weights differ at query 1" in grade.check("attention", columns).message


def test_a_place_is_named_by_its_axes_counted_from_one():
    message = grade.check("padding_and_causal", lambda n, T: torch.ones(1, T, T) > 0).message
    assert "The mask differs at batch 1, query 1." in message
    assert "expected   True  False  False" in message


def test_a_pass_says_what_was_tried_and_asks_one_thing_more():
    message = grade.check("softmax_row", right).message
    assert message.startswith("Make 01/softmax-row: passed\n\nIt gives what is expected with three")
    assert "scores of a thousand" in message and message.endswith("?")


def test_a_verdict_is_kept_with_the_mistakes_name():
    verdict = grade.softmax_row(exponentials)
    kept = open_store().tasks("01/softmax-row")
    assert [(one.passed, one.mistake, one.mistake_name, one.message) for one in kept] == [
        (False, "not_normalised", "not normalised", verdict.message)
    ]
    assert grade.softmax_row(right).passed
    assert [one.passed for one in open_store().tasks("01/softmax-row")] == [False, True]


@pytest.mark.parametrize("name", GRADERS)
def test_looking_back_names_mistakes_as_the_grader_named_them(name):
    known = GRADERS[name].mistakes[4 % len(GRADERS[name].mistakes)]
    functions = known.functions[0] if len(known.functions) == 1 else known.functions
    verdict = grade.check(name, functions)
    told = misconceptions()[known.misconception].name
    assert verdict.mistake_name == told
    assert any(f"{lead}, “{told}”" in verdict.message for lead in LEADS)
    kept = TaskResult(GRADERS[name].task, False, known.name, mistake_name=verdict.mistake_name)
    assert made([kept])[0].way.endswith(f"met on the way: {told}")


def test_asking_for_a_value_or_grading_a_stub_keeps_nothing():
    grade.check("softmax_row", exponentials)
    verdict = grade.softmax_row(stub)
    assert not verdict.passed
    assert "stub still returns `...`" in verdict.message
    assert "Asked for: a list with one weight for each score" in verdict.message
    assert open_store().tasks() == []


def test_a_stub_is_known_by_any_of_its_results_and_by_the_second_function():
    half = grade.check("attention", lambda q, k, v: (..., q))
    assert half.message.startswith("Make 03/attention: not written yet")
    pair = grade.check("split_merge_heads", (split_heads, stub))
    assert "stub still returns `...`" in pair.message


def test_a_mistake_is_named_though_the_second_function_is_still_a_stub():
    bare = grade.check("split_merge_heads", (lambda x, n: x.reshape(n, x.shape[-2], -1), stub))
    assert bare.mistake == "split_by_bare_reshape"


def test_nothing_is_kept_where_results_are_always_shown(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_REVEAL", "always")
    assert grade.softmax_row(exponentials).message == MESSAGE
    monkeypatch.delenv("ATTN_LAB_REVEAL")
    assert open_store().tasks() == []


def test_a_store_that_cannot_be_written_is_said_beside_the_verdict(monkeypatch, tmp_path):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path))  # a folder
    verdict = grade.softmax_row(exponentials)
    assert verdict.message.startswith(MESSAGE)
    assert "will not be remembered" in verdict.message and "will not be rem" in verdict.html


def test_each_grader_belongs_to_one_task_of_the_course():
    named = {task.grader: task.id for task in tasks().values()}
    assert named == {name: grader.task for name, grader in GRADERS.items()}
    assert all(callable(getattr(grade, name)) for name in GRADERS)


def test_a_pair_may_be_given_as_two_arguments():
    halves = (lambda x, n_heads: ..., lambda heads: ...)
    assert grade.split_merge_heads(*halves) == grade.split_merge_heads(halves)


def test_half_a_pair_and_an_unknown_grader_are_refused():
    with pytest.raises(ValueError, match=r"a pair of functions, \(split, merge\); got 1"):
        grade.split_merge_heads(stub)
    with pytest.raises(ValueError, match=r"name must be one of softmax_row, .*got 'softmax'"):
        grade.check("softmax", stub)


@pytest.mark.parametrize("name", GRADERS)
def test_no_message_speaks_of_the_person_or_passes_judgement(name):
    grader = GRADERS[name]
    said = [
        grade.check(name, each.functions[0] if len(each.functions) == 1 else each.functions)
        for each in grader.mistakes[:3]
    ]
    for message in (one.message for one in said):
        assert not re.search(r"\b(you|your|unfortunately|sorry|oops)\b|!", message, re.I)


def test_numbers_are_short_and_zero_has_no_sign():
    given = {"x": torch.tensor([[-0.0, 1 / 3]]), "n_heads": 2, "allowed": torch.tensor([True])}
    assert dict(shown(given)) == {"x": "[[0, 0.333333]]", "n_heads": "2", "allowed": "[True]"}


def test_what_nobody_would_type_is_shown_by_its_shape():
    assert dict(shown({"x": torch.ones(5, 5)})) == {"x": "a tensor of shape [5, 5]"}
    assert dict(shown({"x": torch.ones(TYPED)}))["x"].count("1") == TYPED

"""Tries are counted to the first pass, and the mistakes met on the way are named once each."""

from attn_lab.record import TaskResult
from attn_lab.record.made import made

TASK = "04/causal-mask"


def tried(*mistakes, passed=False):
    results = [TaskResult(TASK, False, mistake) for mistake in mistakes]
    return [*results, TaskResult(TASK, True)] if passed else results


def test_tries_count_to_the_first_pass_and_a_pass_stays_one():
    results = [*tried("a", "b", passed=True), *tried("c")]
    (one,) = made(results)
    assert (one.tries, one.passed, one.mistakes) == (3, True, ("a", "b"))
    assert one.last is results[2]


def test_a_mistake_met_twice_is_named_once_and_a_nameless_one_not_at_all():
    (one,) = made(tried("mask_all_true", "", "mask_all_true"))
    assert one.way == "not passed yet after 3 tries; met on the way: mask all true"


def test_a_mistake_has_the_name_that_the_learner_was_told():
    results = [
        TaskResult(TASK, False, name, mistake_name="all open")
        for name in ("all_true", "all_but_one")
    ]
    (one,) = made([*results, *tried("mask_of_the_blocked")])
    assert one.way.endswith("; met on the way: all open, mask of the blocked")


def test_a_first_try_that_passes_meets_nothing():
    (one,) = made(tried(passed=True))
    assert one.way == "passed after 1 try"


def test_tasks_come_in_the_order_of_the_notebooks():
    results = [TaskResult("07/b", True), TaskResult("01/a", False), TaskResult("07/b", True)]
    assert [(one.task, one.tries) for one in made(results)] == [("01/a", 1), ("07/b", 1)]
    assert made([]) == []

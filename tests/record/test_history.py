"""Unseen predictions are evidence, one for each exercise; tries count to the first pass."""

from attn_lab.record import Attempt, Reveal, TaskResult
from attn_lab.record.history import by_confidence, compared, made, to_revisit


def attempt(round=1, *, exercise="07/one", confidence="guess", seen=False):
    return Attempt(exercise, "answer", confidence, round=round, seen=seen)


def reveal(of, verdict="different", *, time="2026-01-01"):
    return Reveal(of.exercise, of.id, "computed", verdict, time=time)


def counted(attempts, *reveals):
    return [(each.attempt.round, each.agrees) for each in compared(attempts, reveals)]


def test_an_answer_given_after_its_result_is_no_evidence():
    first, again = attempt(), attempt(2, seen=True)
    assert counted([first, again], reveal(first), reveal(again, "same")) == [(1, False)]


def test_a_second_answer_given_before_the_result_is_the_one_that_counts():
    first, second = attempt(), attempt(2, confidence="certain")
    assert counted([first, second], reveal(second, "close")) == [(2, True)]
    assert counted([first, second], reveal(second, "same"), reveal(first)) == [(2, True)]


def test_the_first_of_its_results_counts_though_a_changed_cell_gives_another():
    first = attempt()
    assert counted([first], reveal(first, "same"), reveal(first)) == [(1, True)]


def test_a_prediction_whose_result_was_never_shown_is_left_out():
    assert counted([attempt()]) == [] == counted([], reveal(attempt()))


def test_a_certain_prediction_that_differed_is_a_surprise_and_the_newest_comes_first():
    old, new = attempt(confidence="certain"), attempt(exercise="07/two", confidence="certain")
    shown = [reveal(old, time="2026-01-02"), reveal(new, "same", time="2026-01-01")]  # set back
    found = compared([old, new], shown)
    assert [(each.attempt, each.surprise) for each in found] == [(new, False), (old, True)]


def test_the_rows_of_confidence_go_from_certain_to_guess():
    assert list(by_confidence([])) == ["certain", "fairly sure", "guess"]
    guess = attempt()
    assert by_confidence(compared([guess], [reveal(guess)]))["guess"] == [False]


def test_notebooks_to_revisit_come_by_surprises_then_by_differences():
    made = [
        attempt(exercise="05/a"),
        attempt(exercise="05/b"),
        attempt(exercise="10/a", confidence="certain"),
        attempt(exercise="04/a"),
    ]
    shown = [*map(reveal, made[:3]), reveal(made[3], "same")]
    assert to_revisit(compared(made, shown)) == [("10", 1, 1, 1), ("05", 2, 2, 0)]


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

"""One grading: every input in order, the first thing that differs, and its name if known."""

from collections.abc import Callable
from typing import Any

from attn_lab.grade.calls import Call
from attn_lab.grade.comparing import Difference, Result, difference
from attn_lab.grade.giving import parameters
from attn_lab.grade.graders_entry import Case, Functions, Grader
from attn_lab.grade.naming import name_it
from attn_lab.grade.reading import UnreadableError, kind_of, read
from attn_lab.grade.results import Finding
from attn_lab.grade.running import Outcome, attempt, outcome, outcome_of, parts_of
from attn_lab.grade.wording import broken_off, changed, misfit, nothing, unfinished


def grade(grader: Grader, functions: Functions) -> Finding:
    """Runs the learner's functions on every input; returns what is to be said about it."""
    for function in functions:
        if not callable(function):
            what = f"a function is asked for, without a call; {kind_of(function)} came."
            return Finding(Difference(f"Nothing to run: {what}"))
    cases, right = grader.cases, right_results(grader)
    got: dict[int, Outcome] = {}
    first: Finding | None = None
    tried: list[str] = []
    for number, case in enumerate(cases):
        function = functions[case.function]
        made = attempt(function, case, grader)
        if made is None or (case.may_refuse and _refused(made)):
            continue
        tried += [case.stage] if case.stage not in tried else []
        got[number] = outcome_of(made, parts_of(case, grader))
        found = look(made, case, grader, right[number], function)
        if found is None:
            got[number] = right[number]
            continue
        first = first or found
        if found.stub or made.ended in ("interrupted", "running"):
            del got[number]
            break  # it would only say the same again, and take its time
    if first is None and not tried:
        return Finding(Difference("None of the inputs could be given to the function."))
    if first is None:
        return Finding(None, tried=tuple(tried))
    if first.about_values:
        first = first.named(name_it(grader, cases, got, right))
    return first


def right_results(grader: Grader) -> list[Result]:
    """Returns what the right functions give on every input."""
    found = [outcome(grader.right, case, grader) for case in grader.cases]
    if any(isinstance(each, str) for each in found):
        raise ValueError(f"{grader.task}: a right function fails on an input; mend the grader.")
    return [each for each in found if not isinstance(each, str)]


def look(
    made: Call, case: Case, grader: Grader, right: Result, function: Callable[..., Any]
) -> Finding | None:
    """Returns what is to be said about one call, or None where it is right."""
    if made.ended != "returned":
        takes = [
            str(each.replace(annotation=each.empty, default=each.empty))
            for each in (parameters(function) or {}).values()
        ]
        said = misfit(made, case, grader, takes) or broken_off(made)
        about = made.ended == "raised"
        broke = Difference(said)
        return Finding(broke, case, printed=made.printed, about_values=about, error=made.error)
    if _has_stub(made.value):
        return Finding(Difference(unfinished(function)), stub=True)
    if made.value is None:
        return Finding(Difference(nothing(made.printed)), case)
    try:
        result = read(made.value, parts_of(case, grader))
    except UnreadableError as error:
        return Finding(Difference(_capital(str(error))), case, printed=made.printed)
    differs = difference(result, right, parts_of(case, grader))
    if differs is not None:
        return Finding(differs, case, printed=made.printed, about_values=True)
    if made.damaged:
        return Finding(Difference(changed(made.damaged)), case, printed=made.printed)
    return None


def _has_stub(value: Any) -> bool:
    return any(each is ... for each in (value if isinstance(value, tuple) else (value,)))


def _refused(made: Call) -> bool:
    return made.ended == "raised" and type(made.error) is ValueError


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def as_functions(given: Any, needed: int) -> tuple[Any, ...]:
    """Returns one function, or a pair of them where two are needed, as a tuple."""
    return tuple(given) if needed > 1 and isinstance(given, tuple | list) else (given,)

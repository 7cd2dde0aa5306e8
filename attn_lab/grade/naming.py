"""Which known mistake gives what the learner's function gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attn_lab.grade.compare import Tensors, UnreadableError, close, read
from attn_lab.grade.tasks.task_entry import Case, Functions, Grader, Known, Part

NO_NUMBER = (OverflowError, ZeroDivisionError)  # where tensors go on with inf or nan


@dataclass(frozen=True)
class Failure:
    """What came in place of tensors: an error, or something that cannot be read."""

    said: str = ""  # the error's kind and text
    no_number: bool = False  # what plain Python raises where tensors show nan


Outcome = Tensors | Failure
UNREADABLE = Failure()


def failure_of(error: BaseException) -> Failure:
    """What an error in place of a result is compared by."""
    return Failure(no_number=True) if isinstance(error, NO_NUMBER) else Failure(said_of(error))


def said_of(error: BaseException | None) -> str:
    """An error's kind and its text."""
    kind = type(error).__name__
    try:
        text = " ".join(str(error).split())
    except BaseException:  # a class of the learner's own
        return kind
    return f"{kind}: {text}" if text else kind


def as_outcome(value: Any, parts: Sequence[Part]) -> Outcome:
    """What was returned, as it is compared."""
    try:
        return read(value, parts)
    except UnreadableError:
        return UNREADABLE


@cache
def outcome(functions: Functions, case: Case, grader: Grader) -> Outcome:
    """What functions of ours give on an input, right or known to be wrong: made once, and kept.

    Whatever the learner has set for their own code, they run as they do in a fresh process.
    """
    function, given = functions[case.function], dict(case.arguments)
    with torch.device("cpu"), torch.inference_mode(False):
        if case.gradient_of:
            given[case.gradient_of] = given[case.gradient_of].clone().requires_grad_()
        named = {name: given.pop(name) for name in grader.optional if name in given}
        try:
            value = function(*given.values(), **named)
        except (OverflowError, RuntimeError, ValueError) as error:
            return failure_of(error)  # such as a product of shapes that do not fit
        if case.gradient_of:
            value = gradient(value[0], given[case.gradient_of], case)
    return as_outcome(value, grader.parts_of(case))


def gradient(output: Any, of: Tensor, case: Case) -> Any:
    """The gradient of the output's rows that have something to read.

    NotImplemented where there is none: numbers in loops have no gradients.
    """
    if not isinstance(output, Tensor) or not output.requires_grad:
        return NotImplemented
    return torch.autograd.grad(output[case.arguments["allowed"].any(-1)].sum(), of)[0]


def right_results(grader: Grader) -> list[Tensors]:
    """What the right functions give on every input."""
    found = [outcome(grader.right, case, grader) for case in grader.cases]
    if any(isinstance(each, Failure) for each in found):
        raise ValueError(f"{grader.task}: a right function fails on an input; mend the grader.")
    return [each for each in found if not isinstance(each, Failure)]


def name_it(grader: Grader, got: Mapping[int, Outcome], right: Sequence[Tensors]) -> Known | None:
    """The mistake that gives the same on every input that both can take.

    It accounts for the first difference. Of several, the one that gives the same on the most
    inputs, errors counted, and of those the first of the bank. A value somewhere must be the
    same: an error alone has many causes.
    """
    cases = grader.cases
    failing = next((n for n in got if not alike(got[n], right[n])), None)
    if failing is None:  # only the kind of the numbers differs
        return None
    stage = [n for n in got if cases[n].stage == cases[failing].stage]
    begun = [n for n in got if n < failing or n in stage]

    def theirs(known: Known, number: int) -> Outcome:
        return outcome(known.functions, cases[number], grader)

    best, most = None, 0
    for known in grader.mistakes:
        if not all(alike(theirs(known, n), got[n]) for n in begun):
            continue
        if all(alike(theirs(known, n), right[n]) for n in stage):
            continue
        if not all(agree(theirs(known, n), got[n]) for n in got):
            continue
        same = [n for n in got if alike(theirs(known, n), got[n])]
        values = [n for n in same if _is_value(theirs(known, n))]
        shown = any(not alike(theirs(known, n), right[n]) for n in values)
        if shown and len(same) > most:
            best, most = known, len(same)
    return best


def agree(ours: Outcome, theirs: Outcome) -> bool:
    """Whether nothing that both give as numbers is different.

    What ends in an error, in nan or without an axis has not taken its input: that may have
    another cause, and the mistake is still one.
    """
    if isinstance(ours, Failure) or isinstance(theirs, Failure):
        return True
    return len(ours) == len(theirs) and all(map(_agree, ours, theirs))


def _agree(ours: Tensor, theirs: Tensor) -> bool:
    if ours.shape != theirs.shape:
        return ours.dim() != theirs.dim()
    numbers = ~(ours.isnan() | theirs.isnan())
    return close(ours[numbers], theirs[numbers])


def alike(ours: Outcome, theirs: Outcome) -> bool:
    """Whether two outcomes are the same: values, or errors of one kind and text.

    An overflow that plain Python raises is what tensors show as nan.
    """
    if isinstance(ours, Failure) or isinstance(theirs, Failure):
        return ours == theirs or (_no_number(ours) and _no_number(theirs))
    return len(ours) == len(theirs) and all(map(close, ours, theirs))


def _is_value(one: Outcome) -> bool:
    return one.no_number if isinstance(one, Failure) else True


def _no_number(one: Outcome) -> bool:
    return one.no_number if isinstance(one, Failure) else any(map(_has_nan, one))


def _has_nan(one: Tensor) -> bool:
    return one.is_floating_point() and bool(torch.isnan(one).any())

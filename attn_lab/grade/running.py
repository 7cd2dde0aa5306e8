"""A grader's inputs given to functions: the right one, known wrong ones, the learner's."""

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attn_lab.grade.calls import Call, call
from attn_lab.grade.comparing import Result
from attn_lab.grade.giving import NoPlaceError, given
from attn_lab.grade.graders_entry import Case, Functions, Grader, Part
from attn_lab.grade.reading import UnreadableError, read

RAISED, OVERFLOW, OTHER = "raised", "overflow", "other"
NO_NUMBER = (OverflowError, ZeroDivisionError)  # where tensors go on with inf or nan
Outcome = Result | str


def attempt(function: Callable[..., Any], case: Case, grader: Grader) -> Call | None:
    """Calls one function on one input; None where the input is not for this function."""
    try:
        form = given(function, case, grader)
    except NoPlaceError as error:
        return Call("raised", error=error)
    if form is None:
        return None
    if not case.gradient_of:
        return call(function, *form)
    made = call(_with_gradient(function, case.arguments["allowed"]), *form)
    return None if made.value is NotImplemented else made


def parts_of(case: Case, grader: Grader) -> tuple[Part, ...]:
    """Returns what this input gives back."""
    if case.gradient_of:
        return (Part(f"gradient of {case.gradient_of}", ("query", "column")),)
    return grader.parts[case.function]


def outcome(functions: Functions, case: Case, grader: Grader) -> Outcome:
    """Returns what known functions give on one input."""
    made = attempt(functions[case.function], case, grader)
    return OTHER if made is None else outcome_of(made, parts_of(case, grader))


def outcome_of(made: Call, parts: tuple[Part, ...]) -> Outcome:
    """Returns a call's result as tensors, or what happened in place of one."""
    if made.ended == "raised":
        return OVERFLOW if isinstance(made.error, NO_NUMBER) else f"{RAISED} {made.said}"
    try:
        return read(made.value, parts) if made.ended == "returned" else OTHER
    except UnreadableError:
        return OTHER


def _with_gradient(function: Callable[..., Any], allowed: Tensor) -> Callable[..., Any]:
    """The function, giving the gradient of the output's rows that have something to read.

    NotImplemented where there is none: numbers in loops have no gradients, NumPy takes no
    tensor that has one, and neither needs any.
    """

    def run(*placed: Any, **named: Any) -> Any:
        bare = copy.deepcopy((placed, named))
        q = placed[0] if placed else named["q"]
        q.requires_grad_()
        try:
            output = function(*placed, **named)[0]
        except Exception:
            function(*bare[0], **bare[1])  # what fails here too has failed for another reason
            return NotImplemented
        if not isinstance(output, Tensor) or not output.requires_grad:
            return NotImplemented
        return torch.autograd.grad(output[allowed.any(-1)].sum(), q)[0]

    run.__dict__["__wrapped__"] = function  # an error's line is looked for there
    return run

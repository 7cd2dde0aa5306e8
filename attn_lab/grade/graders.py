"""The graders by name: each runs a learner's function on its inputs and gives one verdict."""

import copy
import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from attn_lab.course.tasks import Task, task
from attn_lab.grade.compare import Difference, Tensors, UnreadableError, difference, kind_of, read
from attn_lab.grade.naming import Outcome, as_outcome, failure_of, gradient, name_it, right_results
from attn_lab.grade.newest import why_not_newest
from attn_lab.grade.sandbox import Call, call
from attn_lab.grade.signatures import NoPlaceError, arguments_for
from attn_lab.grade.tasks.attention_task import ATTENTION
from attn_lab.grade.tasks.head_tasks import MULTI_HEAD, SPLIT_MERGE_HEADS
from attn_lab.grade.tasks.mask_tasks import CAUSAL_MASK, PADDING_AND_CAUSAL
from attn_lab.grade.tasks.row_tasks import ONLINE_SOFTMAX, SOFTMAX_ROW
from attn_lab.grade.tasks.task_entry import Case, Functions, Grader
from attn_lab.grade.verdict import (
    Finding,
    Result,
    broken_off,
    changed,
    misfit,
    nothing,
    older,
    result,
    unfinished,
)
from attn_lab.record import TaskResult, open_store

GRADERS: dict[str, Grader] = {
    "softmax_row": SOFTMAX_ROW,
    "causal_mask": CAUSAL_MASK,
    "attention": ATTENTION,
    "padding_and_causal": PADDING_AND_CAUSAL,
    "split_merge_heads": SPLIT_MERGE_HEADS,
    "multi_head": MULTI_HEAD,
    "online_softmax": ONLINE_SOFTMAX,
}


def check(name: str, fn: Any) -> Result:
    """A grader's verdict on a function, without keeping it.

    Raises: ValueError for a name that no grader has.

    >>> import torch
    >>> check("softmax_row", lambda scores: torch.tensor(scores).exp()).mistake
    'not_normalised'
    """
    return result(*_graded(name, fn))


def softmax_row(fn: Callable[..., Any]) -> Result:
    """Grade fn(scores) -> weights: a list of numbers in, a list or tensor of weights out."""
    return _kept("softmax_row", fn)


def causal_mask(fn: Callable[..., Any]) -> Result:
    """Grade fn(T_q, T_k) -> allowed, bool [T_q, T_k], with query 1 at key 1."""
    return _kept("causal_mask", fn)


def attention(fn: Callable[..., Any]) -> Result:
    """Grade fn(q, k, v) -> (output, weights).

    A function that takes `allowed` is graded with masks as well: a row with nothing to read
    gives zeros, or a ValueError. One that takes `temperature` is graded with temperatures.
    """
    return _kept("attention", fn)


def padding_and_causal(fn: Callable[..., Any]) -> Result:
    """Grade fn(lengths, T) -> allowed, bool [B, T, T], with the padding at the end."""
    return _kept("padding_and_causal", fn)


def split_merge_heads(split: Any, merge: Callable[..., Any] | None = None) -> Result:
    """Grade split(x, n_heads) and merge(heads), as two arguments or as a pair."""
    return _kept("split_merge_heads", split if merge is None else (split, merge))


def multi_head(fn: Callable[..., Any]) -> Result:
    """Grade fn(x, w_q, w_k, w_v, w_o, n_heads, allowed) -> (output, weights)."""
    return _kept("multi_head", fn)


def online_softmax(fn: Callable[..., Any]) -> Result:
    """Grade fn(tiles) -> output [d_v], where tiles is a list of pairs (scores, values)."""
    return _kept("online_softmax", fn)


def _kept(name: str, fn: Any) -> Result:
    """The verdict, kept in the store; a stub that is still as it was is no attempt."""
    finding, task = _graded(name, fn)
    one = result(finding, task)
    if os.environ.get("ATTN_LAB_REVEAL") == "always" or not one.begun:
        return one
    store = open_store()
    told = (one.mistake, one.message, one.mistake_name)
    store.add_task(TaskResult(task.id, one.passed, *told))
    return result(finding, task, note=store.trouble) if store.trouble else one


def _graded(name: str, fn: Any) -> tuple[Finding, Task]:
    if name not in GRADERS:
        raise ValueError(f"name must be one of {', '.join(GRADERS)}; got {name!r}.")
    grader = GRADERS[name]
    needed = len(grader.right)
    functions = tuple(fn) if needed > 1 and isinstance(fn, tuple | list) else (fn,)
    if len(functions) != needed:
        raise ValueError(
            f"fn: {name} grades a pair of functions, (split, merge); got {len(functions)}. "
            "Pass both."
        )
    return grade(grader, functions), task(grader.task)


def grade(grader: Grader, functions: Functions) -> Finding:
    """Run the learner's functions once on every input; say what differs first, and its name."""
    for function in functions:
        if not callable(function):
            what = f"a function is asked for, without a call; {kind_of(function)} came."
            return Finding(Difference(f"Nothing to run: {what}"))
        if why := why_not_newest(function):
            return Finding(Difference(older(function, why)), older=True)
    right = right_results(grader)
    got: dict[int, Outcome] = {}
    first: Finding | None = None
    tried: list[str] = []
    for number, case in enumerate(grader.cases):
        function = functions[case.function]
        made = attempt(function, case, grader)
        if made is None or (case.may_refuse and type(made.error) is ValueError):
            continue
        tried += [case.stage] if case.stage not in tried else []
        found = look(made, case, grader, right[number], function)
        if found is not None:
            first = first or found
            if found.stub or made.ended in ("asked", "interrupted", "running"):
                break  # it would only say the same again, and take its time
        got[number] = right[number] if found is None else _outcome(made, case, grader)
    if first is None and not tried:
        return Finding(Difference("None of the inputs could be given to the function."))
    if first is None:
        lacks = grader.besides(functions[0]) if grader.besides else ""
        if lacks:
            return Finding(Difference(lacks), known=grader.lacking)
        return Finding(None, tried=tuple(tried))
    return replace(first, known=name_it(grader, got, right)) if first.about_values else first


def attempt(function: Callable[..., Any], case: Case, grader: Grader) -> Call | None:
    """Call the learner's function on one input; None where the input is not for it."""
    try:
        form = arguments_for(function, case, grader)
    except NoPlaceError as error:
        return Call("raised", error=error)
    if form is None:
        return None
    if not case.gradient_of:
        return call(function, *form)
    made = call(_with_gradient(function, case), *form)
    return None if made.value is NotImplemented else made


def _with_gradient(function: Callable[..., Any], case: Case) -> Callable[..., Any]:
    """The function, giving the gradient in place of its results.

    NotImplemented where there is none: NumPy takes no tensor that has one, and needs none.
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
        return gradient(output, q, case)

    run.__dict__["__wrapped__"] = function  # an error's line is looked for there
    return run


def _outcome(made: Call, case: Case, grader: Grader) -> Outcome:
    """What came of a call, as known mistakes are compared with it."""
    if made.error is not None:
        return failure_of(made.error)
    return as_outcome(made.value, grader.parts_of(case))


def look(
    made: Call, case: Case, grader: Grader, right: Tensors, function: Callable[..., Any]
) -> Finding | None:
    """What is to be said about one call, or None where it is right."""
    if made.ended != "returned":
        broke = Difference(misfit(made, case, function) or broken_off(made))
        about = made.ended == "raised"
        return Finding(broke, case, printed=made.printed, about_values=about, error=made.error)
    if any(each is ... for each in (made.value if isinstance(made.value, tuple) else [made.value])):
        return Finding(Difference(unfinished(function)), stub=True)
    if made.value is None:
        return Finding(Difference(nothing(made.printed)), case)
    parts = grader.parts_of(case)
    try:
        result = read(made.value, parts)
    except UnreadableError as error:
        text = str(error)
        said = text[:1].upper() + text[1:]
        return Finding(Difference(said), case, printed=made.printed)
    differs = difference(result, right, parts)
    if differs is not None:
        return Finding(differs, case, printed=made.printed, about_values=True)
    if made.damaged:
        return Finding(Difference(changed(made.damaged)), case, printed=made.printed)
    return None

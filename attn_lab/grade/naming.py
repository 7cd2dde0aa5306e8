"""Which known mistake gives what the learner's function gives."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from attn_lab.grade.comparing import Result, close
from attn_lab.grade.graders_entry import Case, Grader, Known
from attn_lab.grade.running import OVERFLOW, Outcome, outcome


def name_it(
    grader: Grader, cases: Sequence[Case], got: Mapping[int, Outcome], right: Sequence[Result]
) -> Known | None:
    """Returns the mistake that gives the same on every input up to the first stage that differs.

    Of several, the one that gives the same on the most other inputs: a function may hold a
    mistake more than one. A value somewhere must be the same: an error alone has many causes.
    """
    failing = next((n for n in got if not alike(got[n], right[n])), None)
    if failing is None:  # only the kind of the numbers differs
        return None
    stage = [n for n in got if cases[n].stage == cases[failing].stage]
    begun = [n for n in got if n < failing or n in stage]
    best, most = None, 0
    for known in grader.mistakes:
        theirs = {n: outcome(known.functions, cases[n], grader) for n in got}
        if all(alike(theirs[n], right[n]) for n in stage):
            continue
        same = [n for n in got if alike(theirs[n], got[n])]
        shown = any(_is_value(theirs[n]) and not alike(theirs[n], right[n]) for n in same)
        if shown and set(begun) <= set(same) and len(same) > most:
            best, most = known, len(same)
    return best


def alike(ours: Outcome, theirs: Outcome) -> bool:
    """Says whether two outcomes are the same: values, or errors of one kind and text.

    An overflow that plain Python raises is what tensors show as nan.
    """
    if isinstance(ours, str) or isinstance(theirs, str):
        return ours == theirs or (_no_number(ours) and _no_number(theirs))
    return len(ours) == len(theirs) and all(map(close, ours, theirs))


def _is_value(one: Outcome) -> bool:
    return one == OVERFLOW if isinstance(one, str) else True


def _no_number(one: Outcome) -> bool:
    return one == OVERFLOW if isinstance(one, str) else any(map(_has_nan, one))


def _has_nan(one: Tensor) -> bool:
    return one.is_floating_point() and bool(torch.isnan(one).any())

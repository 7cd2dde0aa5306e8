"""Which known mistake gives what the learner's function gives."""

from collections.abc import Mapping, Sequence

import torch

from attn_lab.grade.comparing import Result, close
from attn_lab.grade.graders_entry import Case, Grader, Known
from attn_lab.grade.running import RAISED, Outcome, outcome


def name_it(
    grader: Grader, cases: Sequence[Case], got: Mapping[int, Outcome], right: Sequence[Result]
) -> Known | None:
    """Returns the mistake that gives the same on every input of the first stage that differs.

    Of several, the one that gives the same on the most other inputs: a function may hold a
    mistake more than one.
    """
    failing = next((n for n in got if not alike(got[n], right[n])), None)
    if failing is None:  # only the kind of the numbers differs
        return None
    stage = [n for n in got if cases[n].stage == cases[failing].stage]
    best, most = None, 0
    for known in grader.mistakes:
        theirs = {n: outcome(known.functions, cases[n], grader) for n in got}
        if all(alike(theirs[n], right[n]) for n in stage):
            continue
        if all(alike(theirs[n], got[n]) for n in stage):
            count = sum(alike(theirs[n], got[n]) for n in got)
            if count > most:
                best, most = known, count
    return best


def alike(ours: Outcome, theirs: Outcome) -> bool:
    """Says whether two outcomes are the same.

    An overflow that plain Python raises is what tensors show as nan.
    """
    if isinstance(ours, str) or isinstance(theirs, str):
        return ours == theirs or (RAISED not in (ours, theirs) and _no_number(ours, theirs))
    return len(ours) == len(theirs) and all(map(close, ours, theirs))


def _no_number(ours: Outcome, theirs: Outcome) -> bool:
    return all(isinstance(each, str) or _has_nan(each) for each in (ours, theirs))


def _has_nan(result: Result) -> bool:
    return any(bool(torch.isnan(each).any()) for each in result if each.is_floating_point())

"""Compares a prediction with a computed value; pure, and the same for report and class.

same       equal within the rounding of what is printed
close      every number within the question's tolerance
pattern    numbers only: the order and the zeros agree, the sizes do not
named      what a known mistake gives
different  none of these
"""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from attn_lab.course.answer_groups import difference
from attn_lab.course.questions import NearMiss, Question
from attn_lab.predict.answers import places
from attn_lab.predict.printed import decimals
from attn_lab.show.numbers import number

ROUNDING = 0.005  # two decimals are printed in cells
_SLACK = 1e-9  # 0.34 − 0.33 is a little more than 0.01 in floating point


@dataclass(frozen=True)
class Verdict:
    """How a prediction and a computed value compare, place by place.

    `near_miss` can come with "pattern" too: a mistake may leave the order as it was.
    `largest` is the largest difference between numbers, as printed with so many `decimals`, and
    `most` the one place where it is; without one such place `most` is empty.
    """

    kind: str
    agree: tuple[str, ...] = ()
    differ: tuple[str, ...] = ()
    near_miss: NearMiss | None = None
    largest: float = 0.0
    most: str = ""
    decimals: int = 3

    @property
    def agrees(self) -> bool:
        """Says whether the prediction needs no second look."""
        return self.kind in ("same", "close")


def compare(question: Question, predicted: Any, computed: Any) -> Verdict:
    """Returns the verdict on a prediction, both in the form of `answers.read_answer`."""
    if question.kind == "numbers":
        return _numbers(question, predicted, computed)
    if predicted == computed:
        return Verdict("same", agree=tuple(places(question)))
    near = near_miss(question, predicted)
    kind = "named" if near else "different"
    if question.kind == "cells":
        pairs = list(zip(_flat(predicted), _flat(computed), strict=True))
    elif question.kind == "shape" and len(question.labels) > 1:
        pairs = list(zip(predicted, computed, strict=True))
    else:
        pairs = [(predicted, computed)]
    agree, differ = _split(question, [one == other for one, other in pairs])
    return Verdict(kind, agree, differ, near)


def near_miss(question: Question, answer: Any) -> NearMiss | None:
    """Returns the known mistake that gives this answer, the nearest one within the tolerance."""
    apart = [
        (difference(question, answer, miss.value), place)
        for place, miss in enumerate(question.near_misses)
    ]
    nearest, place = min(apart, default=(math.inf, 0))
    return question.near_misses[place] if nearest <= 1 else None


def _numbers(question: Question, predicted: list[float], computed: list[float]) -> Verdict:
    apart = [abs(one - other) for one, other in zip(predicted, computed, strict=True)]
    reach = [question.tolerance * (abs(c) if question.relative else 1) for c in computed]
    rounding = [ROUNDING * (abs(c) if question.relative else 1) for c in computed]
    # `not (a <= b)` and `a > b` differ for nan: a computed nan agrees with no prediction
    # and a computed infinity with none either, though a share of it is as large
    near = [d <= r + _SLACK and math.isfinite(d) for d, r in zip(apart, reach, strict=True)]
    exact = [d <= min(r, x) + _SLACK for d, r, x in zip(apart, reach, rounding, strict=True)]
    agree, differ = _split(question, near)
    largest = max(apart, key=lambda each: math.inf if math.isnan(each) else each)
    digits = decimals([*computed, *predicted])
    printed = [number(each, digits) for each in apart]
    alone = printed.count(number(largest, digits)) == 1
    facts: dict[str, Any] = {
        "agree": agree,
        "differ": differ,
        "largest": largest,
        "most": question.labels[apart.index(largest)] if alone else "",
        "decimals": digits,
    }
    if all(near) and all(exact):
        return Verdict("same", **facts)
    if all(near):
        return Verdict("close", **facts)
    facts["near_miss"] = near_miss(question, predicted)
    if _same_pattern(predicted, computed):
        return Verdict("pattern", **facts)
    return Verdict("named" if facts["near_miss"] else "different", **facts)


def _same_pattern(predicted: list[float], computed: list[float]) -> bool:
    # Two numbers in order say little more than one; without any step there is no order to be right.
    if not all(map(math.isfinite, computed)) or len(set(computed)) < 2:
        return False
    signs = zip(map(_sign, predicted), map(_sign, computed), strict=True)
    steps = zip(combinations(predicted, 2), combinations(computed, 2), strict=True)
    return all(a == b for a, b in signs) and all(
        _sign(p - q) == _sign(c - d) for (p, q), (c, d) in steps
    )


def _sign(value: float) -> int:
    return 0 if abs(value) <= _SLACK else int(math.copysign(1, value))


def _split(question: Question, agrees: list[bool]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    named = list(zip(places(question), agrees, strict=True))
    return tuple(n for n, same in named if same), tuple(n for n, same in named if not same)


def _flat(table: list[list[int]]) -> list[int]:
    return [one for row in table for one in row]

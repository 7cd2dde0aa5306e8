"""Which of a question's named answers an answer is, and how it is spelled on a page.

Named answers are the options of a choice and the near misses of every other kind. The right
answer of the other kinds is never in the data, so an unnamed answer is not a wrong one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attn_lab.course.forms import Question

UNNAMED = "="  # begins the key of a group that has no name in the data


@dataclass(frozen=True)
class Group:
    """Answers that count as one: `label` may be shown to the room, `meaning` only to the desk."""

    key: str
    label: str
    meaning: str = ""
    misconception: str | None = None


def named_groups(question: Question) -> list[Group]:
    """Returns the question's named answers, in the order of its data."""
    if question.kind == "choice":
        return [Group(o.key, o.text, "", o.misconception) for o in question.options]
    return [
        Group(miss.name, spelled(question, miss.value), miss.name, miss.misconception)
        for miss in question.near_misses
    ]


def named_group(question: Question, answer: Any) -> Group | None:
    """Returns the named answer that this answer is, or None."""
    groups = named_groups(question)
    if question.kind == "choice":
        return next((group for group in groups if group.key == answer), None)
    apart = [
        (difference(question, answer, miss.value), place)
        for place, miss in enumerate(question.near_misses)
    ]
    nearest = min(apart, default=(2.0, 0))
    return groups[nearest[1]] if nearest[0] <= 1 else None


def difference(question: Question, one: Any, other: Any) -> float:
    """Returns how far two answers are apart, in tolerances: up to 1 they count as the same."""
    if question.kind != "numbers":
        return 0.0 if frozen(one) == frozen(other) else float("inf")
    ours, theirs = flat(one), flat(other)
    if len(ours) != len(theirs):
        return float("inf")
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        # a hair of slack: 0.34 - 0.33 is a little more than 0.01 in floating point
        reach = question.tolerance * (abs(b) if question.relative else 1.0) + 1e-9
        worst = max(worst, abs(a - b) / reach)
    return worst


def spelled(question: Question, answer: Any) -> str:
    """Returns the answer as one short line for a bar's label."""
    if question.kind == "choice":
        return next((o.text for o in question.options if o.key == answer), str(answer))
    if question.kind == "cells":
        return " / ".join("".join("■" if cell else "□" for cell in row) for row in answer)
    if question.kind == "shape":
        shapes = answer if answer and isinstance(answer[0], (list, tuple)) else [answer]
        return "; ".join(" × ".join(map(str, shape)) or "no axes" for shape in shapes)
    return ", ".join(f"{number:.4g}".replace("-", "−") for number in answer)


def flat(answer: Any) -> list[float]:
    """Returns the numbers of a row, or of a list of rows, one after the other."""
    if isinstance(answer, (list, tuple)):
        return [number for part in answer for number in flat(part)]
    return [answer]


def frozen(answer: Any) -> Any:
    """Returns the answer as a value that can be counted: its lists as tuples."""
    return tuple(map(frozen, answer)) if isinstance(answer, (list, tuple)) else answer

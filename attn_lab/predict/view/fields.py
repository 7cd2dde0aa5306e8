"""Text fields for numbers and shapes: a number field cannot be empty, and empty is not zero.

Fields report on leaving, not at each key: the front end holds back what is typed while the kernel
is busy, and a quick Commit would overtake the last digits.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import ipywidgets as w

from attn_lab.course.questions import Question
from attn_lab.predict.view.controls import PLAIN, guarded, live
from attn_lab.predict.view.locked import note, short
from attn_lab.show.entries import number, sizes


def _placeholder(question: Question) -> str:
    if question.kind == "shape":
        return "sizes with commas"
    # shares only where shares are asked for: in a field for a count, 1/4 would mislead
    return "0.25 or 1/4" if question.sums_to_one and question.labels[1:] else "a number"


def _width(question: Question) -> int:
    """Room for the longest label and, beside it, for a placeholder that is not cut."""
    return max(15, 9 + math.ceil(0.55 * max(map(len, question.labels), default=0)))


class Fields:
    """One field for each label, with a note beside it, and the running sum of a row of shares."""

    def __init__(self, question: Question) -> None:
        self.question = question
        numbers = question.kind == "numbers"
        self._read: Callable[[Any], Any] = number if numbers else sizes
        self.fields = [
            w.Text(
                description=label,
                placeholder=_placeholder(question),
                continuous_update=False,
                layout={"width": f"{_width(question)}em", "max_width": "calc(100% - 4px)"},
                **PLAIN,
            )
            for label in question.labels
        ]
        self.notes = [live() for _ in self.fields]
        self.sum = w.HTML()
        rows = [
            w.HBox(pair, layout={"flex_flow": "row wrap"})
            for pair in zip(self.fields, self.notes, strict=True)
        ]
        self.root = w.VBox([*rows, self.sum] if question.sums_to_one else rows)
        for field, beside in zip(self.fields, self.notes, strict=True):
            field.observe(guarded(beside, partial(self.changed, beside)), "value")
        self.add_up()

    def changed(self, beside: w.HTML) -> None:
        """Takes back what was said beside a field that is being mended."""
        beside.value = ""
        self.add_up()

    def add_up(self) -> None:
        """Shows what the numbers add to so far; what cannot be read yet is left out."""
        if not self.question.sums_to_one:
            return
        found = []
        for field in self.fields:
            try:
                found.append(self._read(field.value))
            except ValueError:
                continue
        filled = f" ({len(found)} of {len(self.fields)} filled in)"
        rest = "" if len(found) == len(self.fields) else filled
        self.sum.value = f"They add to <b>{short(sum(found))}</b>{rest}"

    def read(self) -> Any:
        """Returns the answer, or None after saying beside each field what is missing."""
        found = []
        for field, beside in zip(self.fields, self.notes, strict=True):
            try:
                found.append(self._read(field.value))
            except ValueError as problem:
                beside.value = note(str(problem))
        if len(found) < len(self.fields):
            return None
        return found[0] if self.question.kind == "shape" and len(found) == 1 else found

    def take_over(self, other: "Fields") -> None:
        """Fills in what was written in an earlier form, readable or not."""
        for field, before in zip(self.fields, other.fields, strict=True):
            field.value = before.value

    def write(self, answer: Any) -> None:
        """Fills in an earlier answer."""
        if self.question.kind == "numbers":
            texts = [repr(value).removesuffix(".0") for value in answer]  # to the last digit
        else:
            texts = [str(each) for each in (answer if len(self.fields) > 1 else [answer])]
        for field, text in zip(self.fields, texts, strict=True):
            field.value = text

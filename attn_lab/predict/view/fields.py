"""Text fields for numbers and shapes: a number field cannot be empty, and empty is not zero.

Fields report on leaving, not at each key: the front end holds back what is typed while the kernel
is busy, and a quick Commit would overtake the last digits.
"""

import math
from functools import partial
from typing import Any

import ipywidgets as w

from attn_lab.course.kinds import Numbers, Shape
from attn_lab.predict.view.controls import PLAIN, guarded, live
from attn_lab.predict.view.locked import note
from attn_lab.show.printed_numbers import short


def _width(question: Numbers | Shape) -> int:
    """Room for the longest label and, beside it, for a placeholder that is not cut."""
    return max(15, 9 + math.ceil(0.55 * max(map(len, question.asked), default=0)))


class Fields:
    """One field for each label, with a note beside it, and the running sum of a row of shares."""

    def __init__(self, question: Numbers | Shape) -> None:
        self.question = question
        self.fields = [
            w.Text(
                description=label,
                placeholder=placeholder,
                continuous_update=False,
                layout={"width": f"{_width(question)}em", "max_width": "calc(100% - 4px)"},
                **PLAIN,
            )
            for label, placeholder in zip(question.asked, question.placeholders, strict=True)
        ]
        self.notes = [live() for _ in self.fields]
        self.sum = w.HTML()
        rows = [
            w.HBox(pair, layout={"flex_flow": "row wrap"})
            for pair in zip(self.fields, self.notes, strict=True)
        ]
        self.root = w.VBox([*rows, self.sum] if question.sums_to_one else rows)
        for place, beside in enumerate(self.notes):
            handler = guarded(beside, partial(self.changed, place))
            self.fields[place].observe(handler, "value")
        self.add_up()

    def changed(self, place: int) -> None:
        """Takes back what was said beside a field, and says how a percentage was read."""
        self.notes[place].value = note(self.question.heard(place, self.fields[place].value))
        self.add_up()

    def add_up(self) -> None:
        """Shows what the numbers add to so far; what cannot be read yet is left out."""
        if not self.question.sums_to_one:
            return
        found: list[Any] = []
        for place, field in enumerate(self.fields):
            try:
                found.append(self.question.read_entry(place, field.value))
            except ValueError:
                continue
        filled = f" ({len(found)} of {len(self.fields)} filled in)"
        rest = "" if len(found) == len(self.fields) else filled
        self.sum.value = f"They add to <b>{short(sum(found))}</b>{rest}"

    def read(self) -> Any:
        """Returns the answer, or None after saying beside each field what is missing."""
        found: list[Any] = []
        for place, field in enumerate(self.fields):
            try:
                found.append(self.question.read_entry(place, field.value))
            except ValueError as problem:
                self.notes[place].value = note(str(problem))
        if len(found) < len(self.fields):
            return None
        return self.question.from_entries(found)

    def take_over(self, other: "Fields") -> None:
        """Fills in what was written in an earlier form, readable or not."""
        for field, before in zip(self.fields, other.fields, strict=True):
            field.value = before.value

    def write(self, answer: Any) -> None:
        """Fills in an earlier answer."""
        for field, text in zip(self.fields, self.question.entries(answer), strict=True):
            field.value = text

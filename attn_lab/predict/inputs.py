"""What an answer is given with: options, fields or a grid, as parts of a panel and back again.

Fields are text: a number field cannot be empty, and empty is not zero.
"""

from collections.abc import Mapping
from time import monotonic
from typing import Any, Protocol

from attn_lab.course.kinds import Cells, Choice, Numbers, Question, Shape
from attn_lab.show.as_written import in_html
from attn_lab.show.printed_numbers import short
from attn_lab.show.prose import inline
from attn_lab.widgets.parts import Part, field, grid, options, region, row

Values = Mapping[str, Any]

CHOOSE = "Choose one of the answers."
NONE_PAINTED = "No cell is painted. If you mean none, press Commit once more."
SUM, MEANING = "sum", "meaning"  # regions: the running sum, what a mark says
_DOUBLE = 0.8  # seconds within which a second press is part of a double click


class Inputs(Protocol):
    """The inputs of one question; `values` are what a panel's controls hold, by their names."""

    def parts(self) -> list[Part]:
        """What is drawn."""

    def blank(self) -> dict[str, Any]:
        """Values with nothing answered."""

    def read(self, values: Values) -> tuple[Any, dict[str, str]]:
        """The answer, or None and what is missing, said by control."""

    def write(self, answer: Any) -> dict[str, Any]:
        """The values that stand for an earlier answer."""

    def heard(self, values: Values, name: str) -> str:
        """What is now said beside a control that was moved."""

    def regions(self, values: Values) -> dict[str, str]:
        """The HTML that goes with these values, by region."""


class Options:
    """Radio buttons, none chosen beforehand."""

    def __init__(self, question: Choice) -> None:
        self.question = question

    def parts(self) -> list[Part]:
        """One group."""
        given = [(one.key, inline(one.text)) for one in self.question.options]
        return [options("answer", "Answer", given, row=False, quiet=True)]

    def blank(self) -> dict[str, Any]:
        """Nothing chosen."""
        return {"answer": None}

    def read(self, values: Values) -> tuple[Any, dict[str, str]]:
        """The chosen key."""
        return values["answer"], {} if values["answer"] else {"answer": CHOOSE}

    def write(self, answer: str) -> dict[str, Any]:
        """The option of an earlier answer."""
        return {"answer": answer}

    def heard(self, values: Values, name: str) -> str:
        """Nothing: what was said is taken back."""
        return ""

    def regions(self, values: Values) -> dict[str, str]:
        """None."""
        return {}


class Fields:
    """One field for each label, and the running sum of a row of shares."""

    def __init__(self, question: Numbers | Shape) -> None:
        self.question = question
        self.names = [f"field {place}" for place in range(1, len(question.asked) + 1)]

    def parts(self) -> list[Part]:
        """The fields under each other, their labels in line."""
        asked = zip(self.names, self.question.asked, self.question.placeholders, strict=True)
        fields = [field(name, inline(label), hint) for name, label, hint in asked]
        total = [region(SUM)] if self.question.sums_to_one else []
        return [row(*fields, css="attn-fields"), *total]

    def blank(self) -> dict[str, Any]:
        """Empty fields."""
        return dict.fromkeys(self.names, "")

    def read(self, values: Values) -> tuple[Any, dict[str, str]]:
        """The numbers, or what is missing beside each field."""
        found: list[Any] = []
        missing: dict[str, str] = {}
        for place, name in enumerate(self.names):
            try:
                found.append(self.question.read_entry(place, values[name]))
            except ValueError as problem:
                missing[name] = str(problem)
        return (None if missing else self.question.from_entries(found)), missing

    def write(self, answer: Any) -> dict[str, Any]:
        """The numbers of an earlier answer."""
        return dict(zip(self.names, self.question.entries(answer), strict=True))

    def heard(self, values: Values, name: str) -> str:
        """How a percentage was read."""
        return self.question.heard(self.names.index(name), values[name])

    def regions(self, values: Values) -> dict[str, str]:
        """What the numbers add to so far; what cannot be read yet is left out."""
        if not self.question.sums_to_one:
            return {}
        found: list[Any] = []
        for place, name in enumerate(self.names):
            try:
                found.append(self.question.read_entry(place, values[name]))
            except ValueError:
                continue
        filled = f" ({len(found)} of {len(self.names)} filled in)"
        rest = "" if len(found) == len(self.names) else filled
        return {SUM: f"They add to <b>{short(sum(found))}</b>{rest}"}


class Grid:
    """Cells to paint; an empty grid counts only when it is committed a second time."""

    def __init__(self, question: Cells) -> None:
        self.question = question
        self._asked_at: float | None = None  # when it was asked whether none is meant

    def parts(self) -> list[Part]:
        """What a mark says, and the grid."""
        asked = self.question
        return [
            region(MEANING),
            grid("cells", "your cells", asked.rows, asked.columns, asked.cell),
        ]

    def blank(self) -> dict[str, Any]:
        """Nothing painted."""
        return {"cells": [[0] * len(self.question.columns) for _ in self.question.rows]}

    def read(self, values: Values) -> tuple[Any, dict[str, str]]:
        """The painted cells."""
        cells = values["cells"]
        if any(map(any, cells)) or self._asked():
            return cells, {}
        return None, {"cells": NONE_PAINTED}

    def _asked(self) -> bool:
        """Whether it was asked before, and not only just: a double click is one answer."""
        now = monotonic()
        if self._asked_at is None:
            self._asked_at = now
        return now - self._asked_at > _DOUBLE

    def write(self, answer: list[list[int]]) -> dict[str, Any]:
        """The cells of an earlier answer."""
        return {"cells": answer}

    def heard(self, values: Values, name: str) -> str:
        """Nothing: what was said is taken back, and none painted is asked about anew."""
        self._asked_at = None
        return ""

    def regions(self, values: Values) -> dict[str, str]:
        """What a mark says."""
        return {MEANING: f"<p>{in_html(self.question.meaning)}</p>"}


_INPUTS: dict[str, Any] = {"options": Options, "fields": Fields, "grid": Grid}


def inputs_of(question: Question) -> Inputs:
    """The inputs that a question is answered with."""
    made: Inputs = _INPUTS[question.control](question)
    return made

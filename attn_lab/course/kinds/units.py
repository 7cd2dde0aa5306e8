"""What a number of an answer is: which values it can have, and how it may be written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from attn_lab.show.entries import number, quoted
from attn_lab.show.printed_numbers import plain

UNITS = ("number", "amount", "weight", "share", "count")
FORMS = f"one of {', '.join(UNITS)}, or such as 'count of 100'"
_NAME = re.compile(rf"{'|'.join(UNITS)}|count of [1-9]\d*")


@dataclass(frozen=True)
class Unit:
    """A number; an amount, 0 or more; a weight; a share, 0 to 1; a count, whole, 0 to `of`.

    A weight may be any number: a mistake may leave a row of them unnormalised.
    """

    name: str
    of: int | None = None

    @property
    def expected(self) -> str:
        """What it can be, in words that complete "expected …"."""
        if self.name == "count":
            return "a whole number " + (f"from 0 to {self.of}" if self.of else "from 0 up")
        return {"share": "a share from 0 to 1", "amount": "a number from 0 up"}.get(
            self.name, "a number"
        )

    @property
    def placeholder(self) -> str:
        """What a field takes; in one for a count, 1/4 would mislead."""
        texts = {"weight": "0.25 or 1/4", "share": "0.25 or 25 %", "count": "a whole number"}
        return texts.get(self.name, "a number")

    def refuses(self, value: float) -> str:
        """Why a number cannot be one, and what to do; "" where it can."""
        whole = self.name != "count" or float(value).is_integer()
        most = {"share": 1, "count": self.of}.get(self.name)
        low = self.name in ("amount", "share", "count") and value < 0
        if whole and not low and (most is None or value <= most):
            return ""
        got = plain(value, 10)
        also = f" For {got} of 100 write {got} %." if self.name == "share" and value > 1 else ""
        return f"Expected {self.expected}; got {got}.{also or ' Write such a number.'}"

    def read(self, entry: Any) -> float:
        """The number that an entry means, "50 %" too where it is a part of something.

        Raises: ValueError with a sentence to show beside the field.
        """
        part = self._percent(entry)
        value = number(entry) if part is None else part
        problem = self.refuses(value)
        if problem:
            raise ValueError(problem)
        return value

    def heard(self, entry: str) -> str:
        """How a percentage was read; "" for another entry, and for one that cannot be read."""
        try:
            part = self._percent(entry)
            if part is None or self.refuses(part):
                return ""
        except ValueError:
            return ""
        return f"Read as {plain(part, 10)}{f' of {self.of}' if self.of else ''}."

    def _percent(self, entry: Any) -> float | None:
        if not (isinstance(entry, str) and entry.strip().endswith("%")):
            return None
        if self.name not in ("weight", "share") and not self.of:
            raise ValueError(
                f"Expected {self.expected}, not a percentage; got {quoted(entry.strip())}."
            )
        return number(entry.strip()[:-1]) * (self.of or 1) / 100


@cache
def unit(name: str) -> Unit:
    """The unit with this name, such as "count of 100"."""
    kind, _, most = name.partition(" of ")
    return Unit(kind, int(most) if most else None)


def unknown(name: str) -> bool:
    """Whether no unit has this name."""
    return not _NAME.fullmatch(name)

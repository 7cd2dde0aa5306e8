"""A TOML table read field by field, so that every mistake in it can be named exactly."""

import math
import re
from difflib import get_close_matches
from typing import Any

_HTML = re.compile(r"</?[A-Za-z!][^<>]*>|&#?\w+;")
_LATEX = re.compile(r"\$[^$]+\$|\\[A-Za-z(\[]")
_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MISSING: Any = object()


class Fields:
    """The fields of one table; each is taken once, and what is left over is refused.

    `where` says which table it is ("05.toml, 05/first-row") and starts every message.
    """

    def __init__(self, table: Any, where: str) -> None:
        self.where = where
        if not isinstance(table, dict):
            raise ValueError(f"{where}: expected a table of fields; got {table!r}.")
        self._left = dict(table)

    def refusal(self, field: str, expected: str, got: Any) -> ValueError:
        """Returns the error that names file, id, field, what was expected and what came."""
        return ValueError(f"{self.where}, field {field!r}: expected {expected}; got {got!r}.")

    def take(self, field: str, default: Any = _MISSING) -> Any:
        """Returns a field's raw value and counts it as read."""
        value = self._left.pop(field, default)
        if value is _MISSING:
            near = get_close_matches(field, self._left, 1)
            advice = f"Is {near[0]!r} meant to be it?" if near else f"Add {field} = …."
            raise ValueError(f"{self.where}, field {field!r}: missing. {advice}")
        return value

    def text(self, field: str, default: Any = _MISSING) -> str:
        """Returns plain text: Unicode for maths, blank lines between paragraphs, no markup."""
        value = self.take(field, default)
        if value is default and default is not _MISSING:
            return value
        if not isinstance(value, str) or not value.strip():
            raise self.refusal(field, "a text", value)
        if _HTML.search(value) or _LATEX.search(value):
            raise self.refusal(field, "plain text with Unicode maths, no HTML, no LaTeX", value)
        return value.strip()

    def key(self, field: str) -> Any:
        """Returns a short name made of small letters, digits and hyphens."""
        value = self.take(field)
        if not isinstance(value, str) or not _KEY.fullmatch(value):
            raise self.refusal(field, 'a key such as "first-row"', value)
        return value

    def texts(self, field: str, default: Any = _MISSING) -> tuple[str, ...]:
        """Returns a list of plain texts, no two the same."""
        values = self.take(field, default)
        if values is default and default is not _MISSING:
            return values
        if not isinstance(values, list) or not values:
            raise self.refusal(field, "a list of texts", values)
        read = tuple(Fields({field: each}, self.where).text(field) for each in values)
        if len(set(read)) < len(read):
            raise self.refusal(field, "texts that all differ", values)
        return read

    def one_of(self, field: str, allowed: tuple[str, ...]) -> str:
        """Returns one of the allowed words."""
        value = self.take(field)
        if value not in allowed:
            raise self.refusal(field, f"one of {', '.join(allowed)}", value)
        return value

    def flag(self, field: str) -> bool:
        """Returns true or false; false where the field is not given."""
        value = self.take(field, False)
        if not isinstance(value, bool):
            raise self.refusal(field, "true or false", value)
        return value

    def positive(self, field: str) -> float:
        """Returns a finite number above 0."""
        value = self.take(field)
        if not is_number(value) or value <= 0:
            raise self.refusal(field, "a number above 0", value)
        return value

    def tables(self, field: str) -> list:
        """Returns a list of tables, empty where there is none."""
        value = self.take(field, [])
        if not isinstance(value, list):
            raise self.refusal(field, f"tables, each begun with [[…{field}]]", value)
        return value

    def finish(self, allowed: str) -> None:
        """Refuses whatever was not taken: a misspelt field would otherwise do nothing."""
        for field, value in self._left.items():
            raise self.refusal(field, f"only fields of {allowed}", value)


def is_number(value: Any) -> bool:
    """Says whether a TOML value is a finite number (true and false are not)."""
    return not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value)

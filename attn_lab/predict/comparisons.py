"""Prediction | computed | difference, as a table in HTML and in text.

Signs are = and ≠ in one colour: every result gets the same form.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from attn_lab.course.answer_groups import spelled
from attn_lab.course.questions import Question
from attn_lab.predict.printed import decimals
from attn_lab.predict.verdicts import Verdict
from attn_lab.show.numbers import number
from attn_lab.show.tables import TABLE, caption, corner, scroll, td, text_table, th

NONE = "no prediction"
_YES = ("no", "yes")
_HEAD = ("", "prediction", "computed", "difference")
_WRAP = "white-space:normal;text-align:left;max-width:26em"
_DIFFERS = "font-weight:bold;outline:1px solid currentColor;outline-offset:-1px"


@dataclass(frozen=True)
class Table:
    """Texts in rows; `marked` are the cells, row and column, where the two differ."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    marked: frozenset[tuple[int, int]] = frozenset()
    wrap: bool = False

    def html(self, name: str) -> str:
        """Returns the table with header cells, in a block that scrolls when it is too wide."""
        style = _WRAP if self.wrap else ""
        first = corner(self.head[0]) + "".join(th(each, "col", style) for each in self.head[1:])
        lines = [f"<tr>{first}</tr>"]
        for r, row in enumerate(self.rows):
            cells = (
                td(each, f"{style};{_DIFFERS if (r, c) in self.marked else ''}")
                for c, each in enumerate(row[1:])
            )
            lines.append(f"<tr>{th(row[0], 'row')}{''.join(cells)}</tr>")
        return scroll(f'<table style="{TABLE}">{caption(name)}{"".join(lines)}</table>', name)

    def text(self) -> str:
        """Returns the table with aligned columns."""
        return text_table(self.head, self.rows)


def comparison(question: Question, predicted: Any, computed: Any, verdict: Verdict | None) -> Table:
    """Returns both beside each other; without a prediction the computed value alone."""
    if question.kind == "cells":
        return _grid(question, predicted, computed)
    if question.kind == "numbers":
        return _numbers(question, predicted, computed, verdict)
    if question.kind == "choice":
        said = NONE if predicted is None else written(question, predicted)
        values = (said, written(question, computed), _sign(predicted, predicted == computed))
        return Table(("", "answer"), list(zip(_HEAD[1:], values, strict=True)), wrap=True)
    several = len(question.labels) > 1
    before = predicted if several and predicted is not None else [predicted] * len(question.labels)
    after = computed if several else [computed]
    return Table(
        _HEAD, [_shape(*each) for each in zip(question.labels, before, after, strict=True)]
    )


def written(question: Question, answer: Any) -> str:
    """Returns an answer as one short line."""
    if question.kind == "shape":
        return "; ".join(map(str, answer if len(question.labels) > 1 else [answer]))
    return spelled(question, answer)


def _shape(label: str, predicted: list[int] | None, computed: list[int]) -> Sequence[str]:
    said = NONE if predicted is None else str(predicted)
    return (label, said, str(computed), _sign(predicted, predicted == computed))


def _numbers(
    question: Question, predicted: list[float] | None, computed: list[float], verdict: Any
) -> Table:
    places = decimals([*computed, *(predicted or [])])
    rows = []
    for n, label in enumerate(question.labels):
        before, after = predicted[n] if predicted else None, number(computed[n], places)
        if before is None:
            rows.append([label, NONE, after, "–"])
            continue
        sign = _sign(before, label in verdict.agree)
        apart = before - computed[n]
        size = number(abs(apart), places)
        if math.isfinite(apart) and float(size) != 0:
            sign += f" {'−' if apart < 0 else '+'}{size}"
        rows.append([label, number(before, places), after, sign])
    return Table(_HEAD, rows)


def _grid(question: Question, predicted: Any, computed: list[list[int]]) -> Table:
    rows, marked = [], set()
    for r, (name, line) in enumerate(zip(question.rows, computed, strict=True)):
        cells = [name]
        for c, after in enumerate(line):
            if predicted is None:
                cells.append(_YES[after])
                continue
            before = predicted[r][c]
            cells.append(f"{_YES[before]} {_sign(before, before == after)} {_YES[after]}")
            if before != after:
                marked.add((r, c))
        rows.append(cells)
    return Table(["", *question.columns], rows, frozenset(marked))


def _sign(before: Any, same: bool) -> str:
    return "–" if before is None else "=" if same else "≠"

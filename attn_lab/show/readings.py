"""Reading lines: the words above, one query word below, and a line to each word that it reads.

A line is as thick as its weight, and dashed below 0.05. Under each word stands its weight times its
value; their sum is the output.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_lab.show.arrays import as_allowed, as_array, as_features, as_labels, as_row, check_finite
from attn_lab.show.as_written import in_html, width
from attn_lab.show.masked_arrays import uncovered
from attn_lab.show.picture import Picture, img
from attn_lab.show.printed_numbers import BLOCKED, three, two
from attn_lab.show.tables import caption, frame, numbers, scroll, text_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FAINT = 0.05  # a weight below it is drawn as a thin dashed line
_NAMED = 3  # words in the sentence
_LINE = "#2f7fc1"  # at least 3:1 on the light page and on the dark one
_HEIGHT, _THICKEST = 84, 9  # pixels
_PLAIN = "background:transparent"  # where a page stripes its tables
_CELL = "text-align:center;padding:1px 2px;white-space:nowrap;border:0"


@dataclass(frozen=True)
class Reading:
    """One row of weights, the words that it reads, and what it makes of their values."""

    words: list[str]
    query: int
    weights: np.ndarray
    allowed: np.ndarray
    parts: np.ndarray | None  # [T_k, d_v] weight times value
    title: str | None

    @property
    def column(self) -> int:
        """How many pixels wide each word's column is: as the longest text in it."""
        texts = list(self.words) if self.parts is None else [*self.words, *map(_vector, self.parts)]
        return max(52, 8 * max(map(width, texts)) + 12)

    @property
    def output(self) -> np.ndarray | None:
        return None if self.parts is None else self.parts.sum(axis=0)


def reading_lines(
    weights: Any,
    *,
    words: Sequence[object],
    query: int | None = None,
    values: Any = None,
    allowed: Any = None,
    title: str | None = None,
) -> Picture:
    """How one word reads the words of its sentence; with values, what it makes of them.

    Shapes: weights [T_k], words T_k labels, values [T_k] or [T_k, d_v], allowed like weights
    query is the reading word's position, counted from 1; without it, the last word.
    Raises: ValueError when shapes do not fit, a weight that may be read is not finite, or there is
    no such position.

    >>> reading_lines([0.67, 0.33], words=["river", "bank"], values=[[10, 0], [0, 20]])
    “bank” reads “river” with 0.67, “bank” with 0.33; together that makes 6.70, 6.60.
               weight  weight × value
    river       0.670      6.70, 0.00
    bank        0.330      0.00, 6.60
    bank gets   1.000      6.70, 6.60
    """
    row = as_row(uncovered(weights), "weights")
    names = as_labels(words, len(row), "words", "word")
    legal = as_allowed(allowed, row.shape, weights)
    check_finite(row, legal, "weights", names)
    at = len(row) if query is None else query
    if not 1 <= at <= len(row):
        raise ValueError(
            f"query needs a position from 1 to {len(row)}; got {at!r}. Positions count from 1."
        )
    read = np.where(legal, row, 0.0)
    reading = Reading(names, at - 1, read, legal, _parts(values, read, names), title)
    sentence = _sentence(reading)
    head, lines = _numbers(reading)
    html = frame(sentence, _drawn(reading, sentence), after=numbers(head, lines))
    text = f"{sentence}\n{text_table(head, lines)}"
    return Picture(sentence, html, text, partial(_figure, reading))


def _parts(values: Any, read: np.ndarray, names: list[str]) -> np.ndarray | None:
    if values is None:
        return None
    array = as_array(values, "values")
    rows = array[:, None] if array.ndim == 1 else as_features(array, "values")
    if len(rows) != len(read):
        raise ValueError(
            f"values needs {len(read)} rows, one for each word; got {len(rows)}. "
            "Pass the values of the same words."
        )
    for feature in rows.T:
        check_finite(feature, read != 0, "values", names)
    return np.asarray(read[:, None] * np.where(read[:, None] != 0, rows, 0.0))


def _sentence(reading: Reading) -> str:
    order = np.argsort(-reading.weights, kind="stable")
    seen = [j for j in order if reading.weights[j] >= FAINT][:_NAMED]
    said = ", ".join(f"“{reading.words[j]}” with {two(reading.weights[j])}" for j in seen)
    rest = f", and others with less than {FAINT}" if not seen and reading.weights.any() else ""
    said = f"“{reading.words[reading.query]}” reads {said or 'nothing'}{rest}"
    if reading.output is not None:
        said += f"; together that makes {_vector(reading.output)}"
    return f"{reading.title}: {said}." if reading.title else f"{said}."


def _vector(numbers: np.ndarray) -> str:
    return ", ".join(two(x) for x in numbers)


def _numbers(reading: Reading) -> tuple[list[str], list[list[str]]]:
    shown = [three(w) if ok else BLOCKED for w, ok in _cells(reading)]
    rows = [[word, weight] for word, weight in zip(reading.words, shown, strict=True)]
    rows.append([f"{reading.words[reading.query]} gets", three(reading.weights.sum())])
    if reading.parts is None or reading.output is None:
        return ["", "weight"], rows
    for row, part, ok in zip(rows, reading.parts, reading.allowed, strict=False):
        row.append(_vector(part) if ok else BLOCKED)
    rows[-1].append(_vector(reading.output))
    return ["", "weight", "weight × value"], rows


def _cells(reading: Reading) -> list[tuple[float, bool]]:
    return list(zip(reading.weights.tolist(), reading.allowed.tolist(), strict=True))


def _drawn(reading: Reading, sentence: str) -> str:
    """Words and numbers as a table in the page's own colours; the lines between them an image."""
    T = len(reading.words)
    words = _row([in_html(word) for word in reading.words], "font-weight:600")
    lines = img(_lines(reading), sentence, T * reading.column, _HEIGHT).replace(
        "max-width:100%;height:auto", f"display:block;width:100%;height:{_HEIGHT}px"
    )
    below = ["" for _ in reading.words]
    below[reading.query] = in_html(reading.words[reading.query])
    asks = "font-weight:600;text-decoration:underline 3px;text-underline-offset:3px"
    parts = [words, _row([two(w) if ok else BLOCKED for w, ok in _cells(reading)])]
    parts.append(
        f'<tr style="{_PLAIN}"><td colspan="{T}" style="padding:0;border:0">{lines}</td></tr>'
    )
    parts.append(_row(below, asks))
    if reading.parts is not None and reading.output is not None:
        name = "weight × value, and their sum under the reading word"
        shown = [
            _vector(part) if ok else BLOCKED
            for part, ok in zip(reading.parts, reading.allowed, strict=True)
        ]
        parts.append(
            f'<tr><td colspan="{T}" style="{_CELL};font-size:12px;text-align:left">{name}</td></tr>'
        )
        parts.append(_row(shown))
        total = ["" for _ in reading.words]
        total[reading.query] = f"= {_vector(reading.output)}"
        parts.append(_row(total, "font-weight:600"))
    look = (
        f"table-layout:fixed;border-collapse:collapse;width:{T * reading.column}px;margin:4px 0;"
        "color:inherit;font-variant-numeric:tabular-nums;font-size:13px;line-height:1.5"
    )
    named = caption(reading.title) if reading.title else ""
    table = f'<table role="presentation" style="{look}">{named}{"".join(parts)}</table>'
    return scroll(table, reading.title or "Reading lines")


def _row(texts: Sequence[str], look: str = "") -> str:
    return (
        f'<tr style="{_PLAIN}">'
        + "".join(f'<td style="{_CELL};{look}">{text}</td>' for text in texts)
        + "</tr>"
    )


def _lines(reading: Reading) -> str:
    T = len(reading.words)
    end = (reading.query + 0.5) * reading.column
    drawn = []
    for j, (weight, ok) in enumerate(_cells(reading)):
        if not ok:
            continue
        faint = weight < FAINT
        thick = 1.0 if faint else max(1.5, _THICKEST * weight)
        dash = ' stroke-dasharray="3 5"' if faint else ""
        drawn.append(
            f'<line x1="{(j + 0.5) * reading.column:g}" y1="6" x2="{end:g}" y2="{_HEIGHT - 6}" '
            f'stroke="{_LINE}" stroke-width="{thick:.2f}" stroke-linecap="round"{dash}/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {T * reading.column} {_HEIGHT}" '
        f'width="{T * reading.column}" height="{_HEIGHT}">{"".join(drawn)}</svg>'
    )


def _figure(reading: Reading) -> "Figure":
    from matplotlib.figure import Figure

    T = len(reading.words)
    figure = Figure(figsize=(max(4.0, 0.8 * T), 3.0), facecolor="white", layout="constrained")
    ax = figure.add_subplot()
    ax.set_axis_off()
    ax.set(xlim=(-0.6, T - 0.4), ylim=(-1.1, 1.3))
    for j, (weight, ok) in enumerate(_cells(reading)):
        number = two(weight) if ok else BLOCKED
        ax.text(j, 1.0, f"{reading.words[j]}\n{number}", ha="center", va="bottom")
        if ok:
            thick, dash = (0.8, ":") if weight < FAINT else (max(1.0, 9 * weight), "-")
            ax.plot([j, reading.query], [0.95, 0.1], color=_LINE, linewidth=thick, linestyle=dash)
        if ok and reading.parts is not None:
            ax.text(j, -0.6, _vector(reading.parts[j]), ha="center", va="center", fontsize=8)
    ax.text(reading.query, 0, reading.words[reading.query], ha="center", va="top", weight="bold")
    if reading.output is not None:
        total = f"= {_vector(reading.output)}"
        ax.text(reading.query, -1.0, total, ha="center", va="center", weight="bold")
    ax.set_title(reading.title or "")
    return figure

"""Curves: how one number moves with another."""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_lab.show.arrays import as_row, as_series, check_finite
from attn_lab.show.colours import shade
from attn_lab.show.picture import Picture, framed
from attn_lab.show.printed_numbers import number, plain
from attn_lab.show.tables import numbers, text_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LINES = ("-", "--", "-.", ":")
_MARKS = ("o", "s", "^", "D")
_MOST_TICKS = 8


def curve(
    x: Any,
    y: Any,
    *,
    x_name: str,
    y_name: str,
    title: str | None = None,
    log_x: bool = False,
    log_y: bool = False,
    places: int = 3,
) -> Picture:
    """`y` against `x` as a line with marks, or several lines: {"masked": row, "open": row}.

    Shapes: x [n], each y [n]. Each line has its own dash and mark; colour is not needed.
    Raises: ValueError for rows that differ from x in length, for numbers that are not finite
    (nan in y is a gap), and for a log axis with numbers that are not above 0.

    >>> curve([1, 4], [0.670, 0.544], x_name="temperature", y_name="largest weight")
    Largest weight against temperature: from 0.670 at 1 to 0.544 at 4.
    temperature  largest weight
    1                     0.670
    4                     0.544
    """
    across = as_row(x, "x")
    rows = as_series(y, "y", y_name)
    _check(across, rows, log_x, log_y)
    digits = _digits(across)
    at = [plain(value, digits) for value in across]
    sentence = _sentence(at, rows, x_name, y_name, title, places)
    shown = [[at[i], *(number(row[i], places) for row in rows.values())] for i in range(len(at))]
    text = f"{sentence}\n{text_table([x_name, *rows], shown)}"
    draw = partial(_figure, across, rows, x_name, y_name, title, log_x, log_y, digits)
    html = partial(framed, sentence, draw, numbers([x_name, *rows], shown))
    return Picture(sentence, html, text, draw)


def _check(x: np.ndarray, rows: dict[str, np.ndarray], log_x: bool, log_y: bool) -> None:
    nth = [f"number {i + 1}" for i in range(len(x))]
    check_finite(x, np.ones(len(x), dtype=bool), "x", nth)
    for name, row in rows.items():
        if len(row) != len(x):
            raise ValueError(
                f"y needs one number for each of the {len(x)} in x; got {len(row)} in {name!r}. "
                "Check how they were collected."
            )
        check_finite(row, ~np.isnan(row), "y", nth)  # nan is a gap in the line
    if len(rows) > len(_LINES):
        raise ValueError(f"y needs at most {len(_LINES)} lines to stay readable; got {len(rows)}.")
    for flag, values, name in ((log_x, [x], "x"), (log_y, [*rows.values()], "y")):
        if flag and any((value <= 0).any() for value in values):
            raise ValueError(
                f"{name} needs numbers above 0 for log_{name}=True; got 0 or less. "
                f"Leave log_{name} out, or drop those numbers."
            )


def _sentence(
    at: list[str],
    rows: dict[str, np.ndarray],
    x_name: str,
    y_name: str,
    title: str | None,
    places: int,
) -> str:
    ends = []
    for name, row in rows.items():
        part = f"from {number(row[0], places)} at {at[0]} to {number(row[-1], places)} at {at[-1]}"
        ends.append(f"{name} {part}" if len(rows) > 1 else part)
    return f"{title or _about(y_name, x_name)}: {'; '.join(ends)}."


def _about(y_name: str, x_name: str) -> str:
    return f"{y_name[:1].upper()}{y_name[1:]} against {x_name}"


def _digits(x: np.ndarray) -> int:
    """As many digits as keep different numbers apart: six, and more for those close together."""
    apart = len(set(x.tolist()))
    return next(n for n in range(6, 18) if n == 17 or len({f"{v:.{n}g}" for v in x}) >= apart)


def _figure(
    x: np.ndarray,
    rows: dict[str, np.ndarray],
    x_name: str,
    y_name: str,
    title: str | None,
    log_x: bool,
    log_y: bool,
    digits: int,
) -> "Figure":
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter

    figure = Figure(figsize=(4.4, 2.4), facecolor="white", layout="constrained")
    ax = figure.add_subplot()
    marked = len(x) <= 40
    for i, (name, row) in enumerate(rows.items()):
        look: dict[str, Any] = {"color": shade(0.1 + 0.2 * i)[0], "linestyle": _LINES[i]}
        ax.plot(x, row, marker=_MARKS[i] if marked else "", markersize=4, label=name, **look)
    for axis, scale in ((ax.xaxis, log_x), (ax.yaxis, log_y)):
        if scale:
            getattr(ax, f"set_{axis.axis_name}scale")("log")
            axis.set_major_formatter(lambda value, _: f"{value:.{digits}g}")
            axis.set_minor_formatter(NullFormatter())
    if log_x and len(x) <= _MOST_TICKS:
        ax.set_xticks(x)
    ax.set_xlabel(x_name)
    ax.set_ylabel(y_name)
    ax.set_title(title or _about(y_name, x_name))
    ax.grid(color="#dddddd", linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    if len(rows) > 1:
        ax.legend(frameon=False, fontsize=9)
    return figure

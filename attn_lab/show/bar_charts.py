"""Bars for one row of numbers, or for a few rows side by side."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from attn_lab.show.arrays import as_allowed, as_labels, as_series, check_finite, names_of
from attn_lab.show.colours import shade
from attn_lab.show.masked_arrays import in_view, uncovered
from attn_lab.show.picture import Picture, framed
from attn_lab.show.printed_numbers import BLOCKED, number
from attn_lab.show.tables import numbers, text_table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HATCHES = ("", "///", "...", "xx")
_MOST_ROWS = 4
_OFF = 1e-3  # room for float32


def bars(
    values: Any,
    *,
    labels: Sequence[object] | None = None,
    allowed: Any = None,
    title: str | None = None,
    axis: str = "key",
    quantity: str = "weight",
    places: int = 2,
) -> Picture:
    """Bars of one row, or of up to four rows: {"τ = 1": row, "τ = 4": row}.

    Shapes: each row [T_k], allowed [T_k]; blocked places, and what a masked array hides, show
    "–" and no bar.
    Raises: ValueError for rows of unequal length, more than four rows, infinite numbers, labels
    that do not fit, and rows that hide unlike places.

    >>> bars([0.670, 0.330])
    Weight of each key: key 1 has the largest, 0.67.
            key 1  key 2
    weight   0.67   0.33
    """
    given = values if isinstance(values, Mapping) else {quantity: values}
    shown = {name: uncovered(row) for name, row in given.items()}
    rows = as_series(shown if values is given else shown[quantity], "values", quantity)
    if len(rows) > _MOST_ROWS:
        raise ValueError(
            f"values needs at most {_MOST_ROWS} rows, to stay readable; got {len(rows)}. "
            "Draw a heatmap instead, or choose the rows to compare."
        )
    count = len(next(iter(rows.values())))
    if labels is None:
        labels = next((own for own, _ in map(names_of, given.values()) if own), None)
    names = as_labels(labels, count, "labels", axis)
    legal = as_allowed(allowed, (count,)) & _in_view(given, count)
    for row in rows.values():  # nan stays: it is named where its bar would stand
        check_finite(row, legal & ~np.isnan(row), "values", names)
    sentence = _sentence(rows, names, legal, title or f"{quantity.capitalize()} of each {axis}")
    lines = [
        [name, *(number(x, places) if ok else BLOCKED for x, ok in zip(row, legal, strict=True))]
        for name, row in rows.items()
    ]
    draw = partial(_figure, rows, names, legal, title, axis, quantity, places)
    html = partial(framed, sentence, draw, numbers(["", *names], lines))
    return Picture(sentence, html, f"{sentence}\n{text_table(['', *names], lines)}", draw)


def _in_view(rows: Mapping[Any, Any], count: int) -> np.ndarray:
    """The places that every row shows, refused where one row hides what another shows."""
    views = [in_view(row, (count,)) for row in rows.values()]
    if not all((view == views[0]).all() for view in views):
        raise ValueError(
            "values needs rows that hide the same places; got masked arrays with unlike masks. "
            "Draw each row as a picture of its own, or draw a heatmap."
        )
    return views[0]


def _sentence(rows: dict[str, np.ndarray], names: list[str], legal: np.ndarray, about: str) -> str:
    said = []
    for name, row in rows.items():
        open_places = np.where(legal & ~np.isnan(row), row, -np.inf)
        best = int(open_places.argmax())
        if open_places[best] == -np.inf:
            part = "nothing to show"
        else:
            part = f"{names[best]} has the largest, {number(row[best], 2)}"
        said.append(f"{name}: {part}" if len(rows) > 1 else part)
    return f"{about}: {'; '.join(said)}."


def _is_weights(values: np.ndarray) -> bool:
    known = values[~np.isnan(values)]
    return bool(((known >= -_OFF) & (known <= 1 + _OFF)).all())


def _figure(
    rows: dict[str, np.ndarray],
    names: list[str],
    legal: np.ndarray,
    title: str | None,
    axis: str,
    quantity: str,
    places: int,
) -> "Figure":
    from matplotlib.figure import Figure

    width = min(max(4.0, 0.28 * len(names) * (len(rows) + 1) + 1.2), 10.0)
    figure = Figure(figsize=(width, 2.4), facecolor="white", layout="constrained")
    ax = figure.add_subplot()
    share = 0.8 / len(rows)
    numbered = len(names) * len(rows) <= 24
    for i, (name, row) in enumerate(rows.items()):
        at = np.arange(len(names)) + (i - (len(rows) - 1) / 2) * share
        fill = shade(0.2 + 0.7 * i / max(1, len(rows) - 1) if len(rows) > 1 else 0.25)[0]
        heights = np.where(legal, np.nan_to_num(row), 0.0)
        look: dict[str, Any] = {
            "color": fill,
            "hatch": _HATCHES[i],
            "edgecolor": "#333333",
            "linewidth": 0.6,
        }
        ax.bar(at, heights, share * 0.92, label=name, **look)
        for x, height, value, ok in zip(at, heights, row, legal, strict=True):
            if numbered or not ok:
                shown = number(value, places) if ok else f"{BLOCKED}\nblocked"
                ax.annotate(shown, (x, height), (0, 2 if height >= 0 else -2),
                            textcoords="offset points", ha="center", fontsize=8,
                            va="bottom" if height >= 0 else "top")  # fmt: skip
    ax.axhline(0, color="#333333", linewidth=0.8)
    ax.margins(y=0.15)
    if quantity == "weight" and all(_is_weights(row[legal]) for row in rows.values()):
        ax.set_ylim(0, 1.12)  # so that two pictures of weights can be compared by eye
    every = max(1, len(names) // 24)
    ax.set_xticks(range(0, len(names), every), names[::every],
                  rotation=45 if len(names) > 10 else 0)  # fmt: skip
    ax.set_xlabel(axis)
    ax.set_ylabel(quantity)
    ax.set_title(title or f"{quantity.capitalize()} of each {axis}")
    ax.spines[["top", "right"]].set_visible(False)
    if len(rows) > 1:
        ax.legend(frameon=False, fontsize=9)
    return figure

"""Heatmaps of weights and of other matrices: rows are queries, columns are keys."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from attn_lab.show.arrays import as_allowed, as_axes, as_labels, as_matrix, names_of
from attn_lab.show.as_written import in_html
from attn_lab.show.colours import shade
from attn_lab.show.heat_figure import heat_figure
from attn_lab.show.heat_value import (
    BLOCKED_STYLE,
    INFINITE_STYLE,
    LEAK_EDGE,
    NAN_STYLE,
    Cell,
    HeatMap,
    Scale,
)
from attn_lab.show.masked_arrays import hides, uncovered
from attn_lab.show.picture import Picture, framed
from attn_lab.show.printed_numbers import BLOCKED, number, two
from attn_lab.show.tables import (
    TABLE,
    caption,
    corner,
    frame,
    opened,
    scroll,
    td,
    text_table,
    th,
    total,
    total_head,
)

LARGEST_TABLE = 16
_OFF = 1e-3  # room for float32 over long rows
_OFF_HALF = 2e-2


def heatmap(
    x: Any,
    *,
    allowed: Any = None,
    kind: Literal["weights", "matrix"] = "weights",
    queries: Sequence[object] | None = None,
    keys: Sequence[object] | None = None,
    title: str | None = None,
    axes: tuple[str, str] = ("query", "key"),
    sums: bool | None = None,
) -> Picture:
    """The map of x: weights on the fixed scale 0 to 1, or a matrix on its own scale.

    Shapes: x [T_q, T_k] (or one row [T_k]), allowed [T_q, T_k], True = may be read; what a
    masked array hides is blocked too.
    queries and keys name the rows and columns, else a data frame's own names; axes names what
    they are, where a matrix is not queries by keys; sums shows the row sums (as weights it does
    so anyway).
    Raises: ValueError when weights do not sum to 1 or 0 in each row, and when shapes differ.

    >>> heatmap([[1.0, 0.0], [0.25, 0.75]], allowed=[[True, False], [True, True]])
    Weights: 2 queries (rows) by 2 keys (columns), 1 cell blocked. Every row sums to 1.00.
    query ↓ key →  key 1  key 2  row sum
    query 1         1.00      –     1.00
    query 2         0.25   0.75     1.00
    """
    if kind not in ("weights", "matrix"):
        raise ValueError(f'kind needs "weights" or "matrix"; got {kind!r}. Choose one of them.')
    own_queries, own_keys = names_of(x)
    if own_queries or own_keys:  # a data frame
        queries = own_queries if queries is None else queries
        keys = own_keys if keys is None else keys
        x = x.to_numpy()
    values, axes = as_matrix(uncovered(x), "x"), as_axes(axes)
    legal = as_allowed(allowed, values.shape, x)
    if kind == "weights":
        _check_weights(values, _OFF_HALF if _is_half(x) else _OFF)
    heat = HeatMap(
        values=values,
        allowed=legal,
        masked=allowed is not None or hides(x),
        weights=kind == "weights",
        scale=Scale(0.0, 1.0) if kind == "weights" else _own_scale(values[legal]),
        queries=as_labels(queries, values.shape[0], "queries", axes[0]),
        keys=as_labels(keys, values.shape[1], "keys", axes[1]),
        axes=axes,
        title=title or ("Weights" if kind == "weights" else "Matrix"),
        sums=kind == "weights" if sums is None else sums,
    )
    sentence = heat.sentence()
    draw = partial(heat_figure, heat)
    text = f"{sentence}\n{heat_text(heat)}"
    if max(values.shape) <= LARGEST_TABLE:
        return Picture(sentence, frame(sentence, heat_table(heat)), text, draw)
    numbers = opened(scroll(f"<pre>{in_html(heat_text(heat))}</pre>", "The numbers"))
    html = partial(framed, sentence, draw, numbers)
    return Picture(sentence, html, text, draw)


def _check_weights(values: np.ndarray, off: float) -> None:
    """Refuse what cannot be weights; rows that are not a number are drawn as such."""
    negative = np.argwhere(values < -off)
    if len(negative):
        i, j = negative[0]
        raise ValueError(
            f"weights need values from 0 to 1; got {two(values[i, j])} in row {i + 1}, "
            f'column {j + 1}. Pass softmax\'s result, or kind="matrix" to draw any numbers.'
        )
    sums = values.sum(axis=1)
    with np.errstate(invalid="ignore"):
        near = (np.abs(sums - 1) <= off) | (np.abs(sums) <= off) | np.isnan(sums)
    if not near.all():
        i = int(np.argmin(near))
        raise ValueError(
            f"weights need rows that sum to 1 (or 0: nothing may be read); got row {i + 1} with "
            f'sum {sums[i]:.4g}. Check the softmax\'s axis, or pass kind="matrix" to draw any '
            "numbers."
        )


def _is_half(x: Any) -> bool:
    return str(getattr(x, "dtype", "")).removeprefix("torch.") in ("float16", "bfloat16")


def _own_scale(legal_values: np.ndarray) -> Scale:
    finite = legal_values[np.isfinite(legal_values)]
    return Scale(float(finite.min()), float(finite.max())) if finite.size else Scale(0.0, 1.0)


SUM = "row sum"
MOST_NUMBERS = 32  # a longer side is told row by row: nobody reads 100 columns of text
_SWATCH = "display:inline-block;padding:1px 6px;min-width:2em;text-align:center"
_STOPS = (0.0, 0.25, 0.5, 0.75, 1.0)


def heat_table(heat: HeatMap) -> str:
    """The map as a table with header cells, coloured cells and, below it, a legend."""
    cells = heat.cells()
    head = corner(_corner(heat)) + "".join(th(key, "col") for key in heat.keys)
    if heat.sums:
        head += total_head(SUM)
    lines = [f"<tr>{head}</tr>"]
    for query, line, line_sum in zip(heat.queries, cells, heat.row_sums(), strict=True):
        row = th(query, "row") + "".join(td(c.text, c.style + ";min-width:2.3em") for c in line)
        if heat.sums:
            row += total(two(line_sum))
        lines.append(f"<tr>{row}</tr>")
    table = f'<table style="{TABLE}">{caption(heat.title)}{"".join(lines)}</table>'
    return scroll(table, heat.title) + _legend(heat, cells)


def heat_text(heat: HeatMap) -> str:
    """The map's numbers as an aligned table, or a line a row where it is large."""
    if max(heat.values.shape) > MOST_NUMBERS:
        return _row_by_row(heat)
    sums = [[two(s)] for s in heat.row_sums()] if heat.sums else [[] for _ in heat.queries]
    rows = [
        [query, *(cell.text for cell in line), *line_sum]
        for query, line, line_sum in zip(heat.queries, heat.cells(), sums, strict=True)
    ]
    return text_table([_corner(heat), *heat.keys, *([SUM] if heat.sums else [])], rows)


def _corner(heat: HeatMap) -> str:
    return f"{heat.axes[0]} ↓ {heat.axes[1]} →"


def _row_by_row(heat: HeatMap) -> str:
    """Each row's largest legal value and its place: what a map of hundreds of columns shows."""
    rows = []
    sums = heat.row_sums()
    for i, query in enumerate(heat.queries):
        values = np.where(heat.allowed[i] & ~np.isnan(heat.values[i]), heat.values[i], -np.inf)
        j = int(values.argmax())
        largest, place = (two(values[j]), heat.keys[j]) if values[j] > -np.inf else (BLOCKED,) * 2
        rows.append([query, largest, place, str(int(heat.allowed[i].sum()))])
        if heat.sums:
            rows[-1].append(two(sums[i]))
    head = [heat.axes[0], "largest", "at", "allowed", *([SUM] if heat.sums else [])]
    return text_table(head, rows)


def _legend(heat: HeatMap, cells: list[list[Cell]]) -> str:
    """The colour bar in five steps, and the signs that this map uses."""
    kinds = {cell.kind for line in cells for cell in line}
    low, high = heat.scale.low, heat.scale.high
    stops = _STOPS if high > low else (0.5,)
    parts = [
        _swatch(number(heat.scale.at(stop), 2), "background:{};color:{}".format(*shade(stop)))
        for stop in stops
    ]
    if heat.masked:
        parts.append(_swatch(BLOCKED, BLOCKED_STYLE) + " blocked")
    if "leak" in kinds:
        parts.append(_swatch("!", LEAK_EDGE) + " blocked, yet it holds weight")
    if "nan" in kinds:
        parts.append(_swatch("nan", NAN_STYLE) + " not a number")
    if "infinite" in kinds:
        parts.append(_swatch("−∞", INFINITE_STYLE) + " infinite")
    what = "weight" if heat.weights else "value"
    return f'<div style="margin:4px 0;font-size:12px">{what}: {" ".join(parts)}</div>'


def _swatch(text: str, style: str) -> str:
    return f'<span style="{_SWATCH};{style}">{text}</span>'

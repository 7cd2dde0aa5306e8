"""Heatmaps of weights and of other matrices: rows are queries, columns are keys."""

from collections.abc import Sequence
from functools import partial
from html import escape
from typing import Any, Literal

import numpy as np

from attn_lab.show.arrays import as_allowed, as_labels, as_matrix
from attn_lab.show.cells import Scale
from attn_lab.show.drawable import as_axes
from attn_lab.show.heat_figure import heat_figure
from attn_lab.show.heat_table import heat_table, heat_text
from attn_lab.show.heat_value import HeatMap
from attn_lab.show.numbers import two
from attn_lab.show.picture import Picture
from attn_lab.show.svg import as_img
from attn_lab.show.tables import frame, opened, scroll

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
    """Return the map of x: weights on the fixed scale 0 to 1, or a matrix on its own scale.

    Shapes: x [T_q, T_k] (or one row [T_k]), allowed [T_q, T_k], True = may be read.
    queries and keys name the rows and columns; axes names what they are, where a matrix is
    not queries by keys; sums shows the row sums (as weights it does so anyway).
    Raises: ValueError when weights do not sum to 1 or 0 in each row, and when shapes differ.

    >>> heatmap([[1.0, 0.0], [0.25, 0.75]], allowed=[[True, False], [True, True]])
    Weights: 2 queries (rows) by 2 keys (columns), 1 cell blocked. Every row sums to 1.00.
    query ↓ key →  key 1  key 2  row sum
    query 1         1.00      –     1.00
    query 2         0.25   0.75     1.00
    """
    if kind not in ("weights", "matrix"):
        raise ValueError(f'kind needs "weights" or "matrix"; got {kind!r}. Choose one of them.')
    values, axes = as_matrix(x, "x"), as_axes(axes)
    legal = as_allowed(allowed, values.shape)
    if kind == "weights":
        _check_weights(values, _OFF_HALF if _is_half(x) else _OFF)
    heat = HeatMap(
        values=values,
        allowed=legal,
        masked=allowed is not None,
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
    numbers = opened(scroll(f"<pre>{escape(heat_text(heat))}</pre>", "The numbers"))
    html = frame(sentence, as_img(draw(), sentence), after=numbers)
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

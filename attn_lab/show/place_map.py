"""A map of places: each value is a point, each output the point where its weights meet."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from attn_lab.show.arrays import (
    LARGEST,
    as_allowed,
    as_array,
    as_axes,
    as_labels,
    as_matrix,
    check_finite,
)
from attn_lab.show.masked_arrays import uncovered
from attn_lab.show.picture import Picture, img
from attn_lab.show.place_drawing import HEIGHT, WIDTH, PlacesMap, places_figure, places_svg
from attn_lab.show.printed_numbers import BLOCKED, three, two
from attn_lab.show.tables import frame, numbers, text_table


def places_map(
    v: Any,
    weights: Any,
    *,
    allowed: Any = None,
    labels: Sequence[object] | None = None,
    queries: Sequence[object] | None = None,
    axes: tuple[str, str] = ("km east", "km north"),
    title: str | None = None,
) -> Picture:
    """The map of the values and the point where each row of weights meets.

    Shapes: v [T_k, 2], weights [T_k] or [T_q, T_k], allowed like weights.
    Raises: ValueError when v does not have two features, shapes do not fit, or a place that may
    be read or its weight is not finite.

    >>> places_map([[10, 0], [0, 20]], [0.5, 0.5])
    The weights meet at (5.00, 10.00).
              km east  km north  weight
    place 1     10.00      0.00   0.500
    place 2      0.00     20.00   0.500
    meets at     5.00     10.00   1.000
    """
    picture = places_of(v, weights, allowed, labels, queries, axes, title)
    sentence = places_sentence(picture)
    head, lines = _numbers(picture)
    image = img(places_svg(picture, sentence), sentence, WIDTH, HEIGHT)
    html = frame(sentence, image, after=numbers(head, lines))
    text = f"{sentence}\n{text_table(head, lines)}"
    return Picture(sentence, html, text, partial(places_figure, picture))


def places_of(
    v: Any,
    weights: Any,
    allowed: Any,
    labels: Sequence[object] | None,
    queries: Sequence[object] | None,
    axes: tuple[str, str],
    title: str | None,
) -> PlacesMap:
    """The checked numbers of a map, before anyone draws it."""
    points = as_array(v, "v")
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(
            f"v needs shape [T_k, 2], a place for each key; got {list(points.shape)}. "
            "Choose two features, for example v[:, :2], or draw a heatmap."
        )
    rows = as_matrix(uncovered(weights), "weights")
    if rows.shape[1] != len(points):
        raise ValueError(
            f"weights needs {len(points)} columns, one for each place; got {list(rows.shape)}. "
            "Pass the weights of the same keys."
        )
    legal = as_allowed(allowed, rows.shape, weights)
    names = as_labels(labels, len(points), "labels", "place")
    for axis in points.T:
        check_finite(axis, np.asarray(legal.any(axis=0)), "v", names)
    for row, may in zip(rows, legal, strict=True):
        check_finite(row, may, "weights", names)
    finite = np.abs(points) < LARGEST  # nan in a place that nobody reads must reach no sum
    if not finite.all(axis=1).any():
        raise ValueError("v needs a finite place at least; got none. Check where nan comes from.")
    read = np.where(legal, rows, 0.0)
    return PlacesMap(
        points=points,
        weights=read,
        allowed=legal,
        meets=read @ np.where(finite, points, 0.0),
        labels=names,
        queries=as_labels(queries, len(rows), "queries", "query"),
        axes=as_axes(axes),
        title=title,
    )


def places_sentence(picture: PlacesMap) -> str:
    """One line that says where the weights meet."""
    points = [f"({two(x)}, {two(y)})" for x, y in picture.meets]
    if len(points) == 1:
        head = picture.title
        start = "the weights meet at" if head else "The weights meet at"
        said = f"{start} {points[0]}"
        if not picture.reads(0):
            said = f"{'n' if head else 'N'}othing is read, so there is no point"
    else:
        head = picture.title or "Meeting points"
        said = ", ".join(
            f"{query} {point}" if picture.reads(i) else f"{query} none, for it reads nothing"
            for i, (query, point) in enumerate(zip(picture.queries, points, strict=True))
        )
    return f"{head}: {said}." if head else f"{said}."


def _numbers(picture: PlacesMap) -> tuple[list[str], list[list[str]]]:
    one = len(picture.weights) == 1
    names = ["weight"] if one else [f"weight, {query}" for query in picture.queries]
    lines = [
        [
            label,
            *(two(x) for x in point),
            *(three(w) if ok else BLOCKED for w, ok in zip(shares, oks, strict=True)),
        ]
        for label, point, shares, oks in zip(
            picture.labels, picture.points, picture.weights.T, picture.allowed.T, strict=True
        )
    ]
    for i, (query, point) in enumerate(zip(picture.queries, picture.meets, strict=True)):
        sums = [three(w.sum()) if i == j else "" for j, w in enumerate(picture.weights)]
        at = [two(x) for x in point] if picture.reads(i) else [BLOCKED, BLOCKED]
        lines.append(["meets at" if one else f"{query} meets at", *at, *sums])
    return ["", *picture.axes, *names], lines

"""The map of places as a value, and on paper: as SVG that follows a slider, and as a Figure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from attn_lab.show.arrays import LARGEST
from attn_lab.show.as_written import in_xml
from attn_lab.show.colours import shade
from attn_lab.show.printed_numbers import BLOCKED, plain, two

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 380, 340
_TOUCH = 30  # closer than this, a label above the mark would meet the place's own
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 14, 12, 44
_INK, _GRID, _MEET = "#1a1a1a", "#dddddd", "#b3261e"
_TRAIL = (
    f'class="attn-trail" fill="none" stroke="{_MEET}" stroke-width="3" stroke-dasharray="1 6" '
    'stroke-linecap="round" stroke-linejoin="round"'
)


@dataclass(frozen=True)
class PlacesMap:
    """Places (one for each key), rows of weights over them, and where each row meets.

    Weights are 0 where a row may not read. A place that nobody may read can be nan: then it is
    listed and not drawn.
    """

    points: np.ndarray
    weights: np.ndarray
    allowed: np.ndarray
    meets: np.ndarray
    labels: list[str]
    queries: list[str]
    axes: tuple[str, str]
    title: str | None

    @property
    def single(self) -> bool:
        return len(self.weights) == 1

    def reads(self, row: int) -> bool:
        """Whether a row reads anything, so that there is a point where it meets."""
        return bool(self.weights[row].any())

    def drawn(self) -> list[int]:
        """The places that lie on paper."""
        return [int(j) for j in np.flatnonzero((np.abs(self.points) < LARGEST).all(axis=1))]

    def is_above(self, place: int) -> bool:
        """Whether a place lies in the upper half, by the mean of all that are drawn."""
        return bool(self.points[place][1] >= self.points[self.drawn(), 1].mean())

    def open_places(self) -> np.ndarray:
        """Which places any of the rows may read."""
        return np.asarray(self.allowed.any(axis=0))

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The lower left and upper right of the map, from the places alone.

        Weights do not move them, so nothing on the paper shifts as a slider moves.
        """
        drawn = self.points[self.drawn()]
        low, high = drawn.min(axis=0), drawn.max(axis=0)
        # Places that coincide get a little room, more than a float of their size rounds away.
        span = max(float((high - low).max()), 1e-9, float(np.abs(drawn).max()) * 1e-12)
        return low - 0.12 * span, high + 0.12 * span


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers from low to high, at most `most` of them.

    >>> ticks(-4.8, 44.8)
    [0.0, 10.0, 20.0, 30.0, 40.0]
    """
    rough = (high - low) / most
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    first = np.ceil(low / step)
    last = np.floor(high / step)
    return [float(step * i) + 0.0 for i in np.arange(first, last + 1)]


def places_svg(picture: PlacesMap, name: str, trail: np.ndarray | None = None) -> str:
    """The map as hand-written SVG with its name inside; white paper, so it reads in any theme.

    `trail` [n, 2] is the path on which the one meeting point came.
    """
    place = _Paper(picture)
    parts = [_axes(picture, place), *_links(picture, place)]
    if trail is not None:
        path = " ".join(f"{x},{y}" for x, y in map(place, trail))
        parts.append(f'<polyline points="{path}" {_TRAIL}/>')
    parts += [_place(picture, place, j) for j in picture.drawn()]
    parts += [_meeting(picture, place, i) for i in range(len(picture.meets)) if picture.reads(i)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{in_xml(name)}" '
        'style="max-width:100%;height:auto" font-family="sans-serif" font-size="12">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{"".join(parts)}</svg>'
    )


class _Paper:
    """From map coordinates to paper coordinates, the same step in both directions."""

    def __init__(self, picture: PlacesMap) -> None:
        self.low, self.high = picture.bounds()
        room = np.array([WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM])
        self.step = float((room / (self.high - self.low)).min())
        self.extra = (room - (self.high - self.low) * self.step) / 2

    def __call__(self, point: np.ndarray) -> tuple[float, float]:
        x, y = (point - self.low) * self.step + self.extra
        return round(_LEFT + x, 1), round(HEIGHT - _BOTTOM - y, 1)


def _axes(picture: PlacesMap, place: _Paper) -> str:
    edge = place.extra / place.step
    (left, down), (right, up) = place.low - edge, place.high + edge
    x0, y0 = place(np.array([left, down]))
    x1, y1 = place(np.array([right, up]))
    parts = []
    for x in ticks(left, right):
        at = place(np.array([x, down]))[0]
        parts.append(f'<line x1="{at}" y1="{y0}" x2="{at}" y2="{y1}" stroke="{_GRID}"/>')
        parts.append(_text(at, y0 + 15, plain(x, 6)))
    for y in ticks(down, up):
        at = place(np.array([left, y]))[1]
        parts.append(f'<line x1="{x0}" y1="{at}" x2="{x1}" y2="{at}" stroke="{_GRID}"/>')
        parts.append(_text(x0 - 6, at + 4, plain(y, 6), "end"))
    middle = (y0 + y1) / 2
    parts.append(_text((x0 + x1) / 2, y0 + 34, picture.axes[0]))
    turn = f' transform="rotate(-90 14 {middle})"'
    return "".join(parts) + _text(14, middle, picture.axes[1], "middle", turn)


def _links(picture: PlacesMap, place: _Paper) -> list[str]:
    """From the meeting point to each place it reads, the wider the more weight."""
    if not picture.single or not picture.reads(0):
        return []
    x0, y0 = place(picture.meets[0])
    return [
        f'<line x1="{x0}" y1="{y0}" x2="{x}" y2="{y}" stroke="{_MEET}" stroke-opacity="0.45" '
        f'stroke-width="{round(1 + 9 * float(weight), 1)}"/>'
        for (x, y), weight, legal in zip(
            map(place, picture.points), picture.weights[0], picture.allowed[0], strict=True
        )
        if legal
    ]


def _place(picture: PlacesMap, place: _Paper, j: int) -> str:
    x, y = place(picture.points[j])
    legal = bool(picture.open_places()[j])
    if not picture.single:
        note = "" if legal else f" {BLOCKED}"
    else:
        note = f" {two(picture.weights[0][j])}" if legal else f" {BLOCKED}"
    if legal:
        fill = shade(float(picture.weights[0][j]))[0] if picture.single else "#f2f2f2"
        look = f'fill="{fill}" stroke="{_INK}"'
    else:
        look = 'fill="#ffffff" stroke="#666666" stroke-dasharray="3 2"'
    # Away from the middle of the places, where the meeting point and the links are.
    side = "end" if x > WIDTH * 0.72 else "start"
    down = -13 if picture.is_above(j) else 22
    label = _text(x + (9 if side == "end" else -9), y + down, picture.labels[j] + note, side)
    return f'<circle cx="{x}" cy="{y}" r="8" stroke-width="1.5" {look}/>{label}'


def _meeting(picture: PlacesMap, place: _Paper, i: int) -> str:
    x, y = place(picture.meets[i])
    shape = f"M{x} {y - 9}L{x + 9} {y}L{x} {y + 9}L{x - 9} {y}Z"
    mark = f'<path d="{shape}" fill="{_MEET}" stroke="#ffffff" stroke-width="2"/>'
    text = "meets here" if picture.single else picture.queries[i]
    near = (
        min(abs(x - px) + abs(y - py) for px, py in map(place, picture.points[picture.drawn()]))
        < _TOUCH
    )
    # Beside the mark; higher where only a link could run level, not a place with its own label.
    y += -10 if picture.single and not near else 4
    if x > WIDTH * 0.72:
        return mark + _text(x - 13, y, text, "end", "", _MEET)
    return mark + _text(x + 13, y, text, "start", "", _MEET)


def _text(
    x: float, y: float, text: str, anchor: str = "middle", more: str = "", fill: str = _INK
) -> str:
    # A white rim keeps letters readable where they cross a line.
    rim = 'paint-order="stroke" stroke="#ffffff" stroke-width="3" stroke-linejoin="round"'
    return (
        f'<text x="{round(x, 1)}" y="{round(y, 1)}" text-anchor="{anchor}" fill="{fill}" '
        f"{rim}{more}>{in_xml(text)}</text>"
    )


_MEET = "#b3261e"


def places_figure(picture: PlacesMap) -> "Figure":
    """The places, the meeting points and, for one row, links as wide as the weights."""
    from matplotlib.figure import Figure
    from matplotlib.patheffects import withStroke

    rim = [withStroke(linewidth=3, foreground="white")]
    figure = Figure(figsize=(4.6, 4.4), facecolor="white", layout="constrained")
    ax = figure.add_subplot()
    (left, down), (right, up) = picture.bounds()
    ax.set_xlim(left, right)
    ax.set_ylim(down, up)
    ax.set_aspect("equal", adjustable="box")
    ax.grid(color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    legal = picture.open_places()
    for j in picture.drawn():
        x, y = picture.points[j]
        weight = float(picture.weights[0][j]) if picture.single else 0.0
        note = f" {two(weight)}" if picture.single else ""
        if picture.single and legal[j] and picture.reads(0):
            meet_x, meet_y = picture.meets[0]
            ax.plot([meet_x, x], [meet_y, y], color=_MEET, alpha=0.45, linewidth=1 + 9 * weight)
        fill = shade(weight)[0] if picture.single and legal[j] else "white"
        style = "-" if legal[j] else ":"
        ax.scatter([x], [y], s=130, color=fill, edgecolor="#1a1a1a", linestyle=style, zorder=3)
        text = picture.labels[j] + (note if legal[j] else f" {BLOCKED}")
        away = (0, 10 if picture.is_above(j) else -18)
        ax.annotate(text, (x, y), away, textcoords="offset points",
                    ha="center", fontsize=9, path_effects=rim, zorder=5)  # fmt: skip
    for i, (x, y) in enumerate(picture.meets):
        if picture.reads(i):
            ax.scatter([x], [y], s=110, marker="D", color=_MEET, edgecolor="white", zorder=4)
            text = "meets here" if picture.single else picture.queries[i]
            ax.annotate(text, (x, y), (9, -3), textcoords="offset points", ha="left",
                        color=_MEET, fontsize=9, path_effects=rim, zorder=5)  # fmt: skip
    ax.set_xlabel(picture.axes[0])
    ax.set_ylabel(picture.axes[1])
    if picture.title:
        ax.set_title(picture.title)
    return figure

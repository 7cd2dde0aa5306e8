"""The map of places as hand-written SVG: quick enough to follow a slider."""

from html import escape

import numpy as np

from attn_lab.show.colours import shade
from attn_lab.show.numbers import BLOCKED, plain, two
from attn_lab.show.places_layout import PlacesMap, ticks

WIDTH, HEIGHT = 380, 340
_TOUCH = 30  # closer than this, a label above the mark would meet the place's own
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 14, 12, 44
_INK, _GRID, _MEET = "#1a1a1a", "#dddddd", "#b3261e"


def places_svg(picture: PlacesMap, name: str) -> str:
    """Return the drawing as SVG with its name inside; white paper, so it reads in any theme."""
    place = _Paper(picture)
    parts = [_axes(picture, place), *_links(picture, place)]
    parts += [_place(picture, place, j) for j in picture.drawn()]
    parts += [_meeting(picture, place, i) for i in range(len(picture.meets)) if picture.reads(i)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{escape(name)}" '
        'style="max-width:100%;height:auto" font-family="sans-serif" font-size="12">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>{"".join(parts)}</svg>'
    )


class _Paper:
    """Turns map coordinates into paper coordinates, the same step in both directions."""

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
        f"{rim}{more}>{escape(text)}</text>"
    )

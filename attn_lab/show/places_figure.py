"""The map of places as a matplotlib Figure."""

from typing import TYPE_CHECKING

from attn_lab.show.colours import shade
from attn_lab.show.numbers import BLOCKED, two
from attn_lab.show.places_layout import PlacesMap

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MEET = "#b3261e"


def places_figure(picture: PlacesMap) -> "Figure":
    """Return the places, the meeting points and, for one row, links as wide as the weights."""
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

"""A heatmap as a matplotlib Figure, for slides and for maps too large for a table."""

from typing import TYPE_CHECKING, Any

import numpy as np

from attn_lab.show.arrays import LARGEST
from attn_lab.show.colours import ALARM, MAP_NAME
from attn_lab.show.heat_value import Cell, HeatMap, plural
from attn_lab.show.printed_numbers import two

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LARGEST_NUMBERED = 16


def heat_figure(heat: HeatMap) -> "Figure":
    """The map drawn with named axes, a colour bar, and blocked cells hatched."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.figure import Figure

    rows, columns = heat.values.shape
    numbered = max(rows, columns) <= _LARGEST_NUMBERED
    size = (max(4.2, columns * 0.5 + 2.4), max(2.6, rows * 0.5 + 1.6)) if numbered else (6.4, 5.2)
    figure = Figure(figsize=size, facecolor="white", layout="constrained")
    ax = figure.add_subplot()
    if numbered:
        cells = heat.cells()
        ax.imshow(numbered_pixels(cells), interpolation="nearest")
        _write_numbers(ax, cells)
    else:
        ax.imshow(large_pixels(heat), interpolation="nearest")
    ax.set_title(heat.title)
    ax.set_xlabel(f"{heat.axes[1]} (column)")
    ax.set_ylabel(f"{heat.axes[0]} (row)")
    _ticks(ax.xaxis, heat.keys, numbered, heat.axes[1])
    _ticks(ax.yaxis, heat.queries, numbered, heat.axes[0])
    if heat.sums and numbered:
        _write_sums(ax, heat)
    low, high = heat.scale.low, heat.scale.high
    # matplotlib needs room above the numbers; those printed beside the bar stay what they are.
    shrink = 1.0 if max(abs(low), abs(high)) < LARGEST else 1e9
    scale = ScalarMappable(Normalize(low / shrink, high / shrink), MAP_NAME)
    bar = figure.colorbar(scale, ax=ax, fraction=0.05)
    if shrink != 1:
        bar.ax.yaxis.set_major_formatter(lambda value, _: two(value * shrink))
    bar.set_label("weight" if heat.weights else "value")
    _legend(figure, heat)
    return figure


def _write_numbers(ax: Any, cells: list[list[Cell]]) -> None:
    from matplotlib.patches import Rectangle

    looks: dict[str, dict[str, Any]] = {
        "blocked": {"hatch": "////", "edgecolor": "#808080", "linestyle": "--"},
        "nan": {"edgecolor": ALARM, "linewidth": 2},
        "infinite": {"edgecolor": "#808080"},
        "leak": {"edgecolor": "#d81b60", "linestyle": "--", "linewidth": 2},
    }
    for i, line in enumerate(cells):
        for j, cell in enumerate(line):
            if cell.kind in looks:
                place = (j - 0.46, i - 0.46)
                ax.add_patch(Rectangle(place, 0.92, 0.92, fill=False, **looks[cell.kind]))
            colour = ALARM if cell.kind == "nan" else cell.ink or "#000000"
            paper = {"facecolor": "white", "edgecolor": "none", "pad": 1}
            ax.text(j, i, cell.text, ha="center", va="center", color=colour, fontsize=9,
                    bbox=paper if cell.kind == "blocked" else None)  # fmt: skip


def _write_sums(ax: Any, heat: HeatMap) -> None:
    x = len(heat.keys) - 0.3
    ax.text(x, -0.62, "row sum", ha="left", va="bottom", fontsize=9)
    for i, line_sum in enumerate(heat.row_sums()):
        ax.text(x, i, two(line_sum), ha="left", va="center", fontsize=9)


def _ticks(axis: Any, labels: list[str], numbered: bool, word: str) -> None:
    if labels == [f"{word} {i + 1}" for i in range(len(labels))]:
        labels = [str(i + 1) for i in range(len(labels))]  # the axis already says the word
    if numbered:
        long = max(len(label) for label in labels) > 6
        turned = {"rotation": 45, "ha": "right"} if long and axis.axis_name == "x" else {}
        axis.set_ticks(range(len(labels)), labels, **turned)
        return
    every = max(1, round(len(labels) / 8))
    places = [*range(0, len(labels), every)]
    axis.set_ticks(places, [str(place + 1) for place in places])
    axis.set_label_text(f"{axis.get_label_text()}: {plural(word)} 1 to {len(labels)}")


def _legend(figure: Any, heat: HeatMap) -> None:
    from matplotlib.patches import Patch

    patches = []
    if heat.blocked():
        look: dict[str, Any] = {"facecolor": "white", "edgecolor": "#808080", "hatch": "////"}
        patches.append(Patch(label="blocked", **look))
    if np.isnan(heat.values).any():
        numbered = max(heat.values.shape) <= _LARGEST_NUMBERED
        fill = "white" if numbered else ALARM
        patches.append(Patch(facecolor=fill, edgecolor=ALARM, label="not a number"))
    if patches:
        figure.legend(handles=patches, loc="outside lower left", ncols=2, frameon=False)


_STRIPES = ((0.93, 0.93, 0.93), (0.66, 0.66, 0.66))


def numbered_pixels(cells: list[list[Cell]]) -> np.ndarray:
    """The fills of a map whose cells carry numbers; signs are drawn over the white ones."""
    from matplotlib.colors import to_rgb

    return np.array([[to_rgb(cell.fill or "#ffffff") for cell in line] for line in cells])


def large_pixels(heat: HeatMap) -> np.ndarray:
    """One colour a cell. The blocked region is striped: a hatch for each of ten thousand
    cells would be megabytes."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb

    values, legal = heat.values, heat.allowed
    low, high = heat.scale.low / 2, heat.scale.high / 2  # halves, as in cells.Scale
    share = np.nan_to_num((values / 2 - low) / (high - low or 0.5), posinf=1.0, neginf=0.0)
    image = mpl.colormaps[MAP_NAME](share.clip(0.0, 1.0))[..., :3]
    image[np.isinf(values)] = 1.0
    i, j = np.indices(values.shape)
    stripe = (i + j) // max(1, len(values) // 32) % 2 == 0
    blocked = ~legal & ~(heat.weights & (values != 0))  # NaN != 0, so it stays visible below
    image[blocked & stripe], image[blocked & ~stripe] = _STRIPES
    image[np.isnan(values) & ~blocked] = to_rgb(ALARM)
    return image

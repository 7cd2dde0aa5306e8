"""One row's calculation as a matplotlib Figure."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def row_figure(name: str, head: list[str], lines: list[list[str]]) -> "Figure":
    """Return the table drawn on paper."""
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

    widths = [max(len(line[i]) for line in [head, *lines]) + 2 for i in range(len(head))]
    size = (max(4.0, 0.085 * sum(widths)), 0.3 * (len(lines) + 1) + 0.5)
    figure = Figure(figsize=size, facecolor="white", layout="constrained")
    ax = figure.add_subplot()
    ax.set_axis_off()
    ax.set_title(name)
    table = ax.table(cellText=lines, colLabels=head, colWidths=[w / sum(widths) for w in widths],
                     bbox=Bbox.unit(), cellLoc="right", edges="B")  # fmt: skip
    table.auto_set_font_size(False)
    table.set_fontsize(9)
    return figure

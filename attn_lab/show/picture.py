"""A picture: one sentence, the same as HTML and as text, a figure on request; figures as images."""

import base64
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from attn_lab.show.as_written import in_xml, visible, width
from attn_lab.show.figure_text import as_written
from attn_lab.show.tables import frame

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_POINTS_PER_INCH = 72


@dataclass(frozen=True, repr=False)
class Picture:
    """What a drawing function returns: it shows itself as the last expression of a cell.

    sentence says what is seen, html draws it, text is the sentence and its numbers, and draw
    makes the matplotlib figure only when somebody asks for it. HTML that takes time to make is
    given as a function, so that a picture behind a closed gate is never drawn.
    """

    sentence: str
    given: str | Callable[[], str]
    text: str
    draw: Callable[[], "Figure"]

    @cached_property
    def html(self) -> str:
        """The picture as HTML, made when it is first shown."""
        return self.given if isinstance(self.given, str) else self.given()

    def figure(self) -> "Figure":
        """The picture as a matplotlib Figure, to save or to put on a slide."""
        return as_written(self.draw())

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", visible(self.text))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}


def framed(sentence: str, draw: Callable[[], "Figure"], numbers: str) -> str:
    """The figure that `draw` makes, as an image between its sentence and its numbers."""
    return frame(sentence, as_img(as_written(draw()), sentence), after=numbers)


def as_img(figure: "Figure", alt: str) -> str:
    """The figure as <img alt=…> with an SVG data address, the same at every run."""
    import matplotlib as mpl

    stream = io.BytesIO()
    # Fixed ids and no date: two runs of one notebook give the same bytes.
    with mpl.rc_context({"svg.hashsalt": "attn_lab", "svg.fonttype": "path"}):
        figure.savefig(stream, format="svg", metadata={"Date": None}, facecolor="white")
    width, height = (round(side * _POINTS_PER_INCH * 4 / 3) for side in figure.get_size_inches())
    return img(stream.getvalue().decode(), alt, width, height)


def img(svg: str, alt: str, width: int, height: int) -> str:
    """SVG source as <img alt=…>; its size is stated, so nothing jumps as it loads."""
    data = base64.b64encode(svg.encode()).decode()
    return (
        f'<img alt="{in_xml(alt)}" width="{width}" height="{height}" '
        f'style="max-width:100%;height:auto" src="data:image/svg+xml;base64,{data}">'
    )


def paper_table(title: str, head: list[str], lines: list[list[str]]) -> "Figure":
    """A table as a figure: the columns as wide as what stands in them."""
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

    widths = [max(width(line[i]) for line in [head, *lines]) + 2 for i in range(len(head))]
    size = (max(4.0, 0.085 * sum(widths)), 0.3 * (len(lines) + 1) + 0.5)
    figure = Figure(figsize=size, facecolor="white", layout="constrained")
    ax = figure.add_subplot()
    ax.set_axis_off()
    ax.set_title(title)
    table = ax.table(cellText=lines, colLabels=head, colWidths=[w / sum(widths) for w in widths],
                     bbox=Bbox.unit(), cellLoc="right", edges="B")  # fmt: skip
    table.auto_set_font_size(False)
    table.set_fontsize(9)
    return figure

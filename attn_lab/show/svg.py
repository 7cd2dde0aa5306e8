"""A matplotlib figure as an image that carries its own description."""

import base64
import io
from html import escape
from typing import TYPE_CHECKING

import matplotlib as mpl

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_POINTS_PER_INCH = 72


def as_img(figure: "Figure", alt: str) -> str:
    """Return the figure as <img alt=…> with an SVG data address, the same at every run."""
    stream = io.BytesIO()
    # Fixed ids and no date: two runs of one notebook give the same bytes.
    with mpl.rc_context({"svg.hashsalt": "attn_lab", "svg.fonttype": "path"}):
        figure.savefig(stream, format="svg", metadata={"Date": None}, facecolor="white")
    width, height = (round(side * _POINTS_PER_INCH * 4 / 3) for side in figure.get_size_inches())
    return img(stream.getvalue().decode(), alt, width, height)


def img(svg: str, alt: str, width: int, height: int) -> str:
    """Return SVG source as <img alt=…>; its size is stated, so nothing jumps as it loads."""
    data = base64.b64encode(svg.encode()).decode()
    return (
        f'<img alt="{escape(alt)}" width="{width}" height="{height}" '
        f'style="max-width:100%;height:auto" src="data:image/svg+xml;base64,{data}">'
    )

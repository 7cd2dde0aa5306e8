"""Draws which ideas moved and which survived: `python -m attn_lab.classroom.moves_picture svg`.

The ideas come as JSON on standard input and the picture leaves on standard output, so that the
class server can ask for it without ever loading matplotlib.
"""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

from attn_lab.classroom.privacy import HIDE_BELOW, in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# colour-blind safe, told apart by their hatching too
PARTS = (
    ("survived", "survived", "#7b3294", "///", "white"),
    ("moved", "moved", "#a6dba0", "", "black"),
    ("silent", "no second answer", "#eeeeee", "..", "black"),
)
FEW, FEW_WIDTH = f"<{HIDE_BELOW}", HIDE_BELOW / 2  # one or two people are drawn between them


def picture(ideas: list[dict[str, Any]]) -> Figure:
    """Returns one bar for each idea: of those who held it, how many kept it and how many left."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 1.9 + 0.55 * max(len(ideas), 1)), layout="constrained")
    axes = figure.subplots()
    longest = 1.0
    for place, idea in enumerate(ideas):
        left = 0.0
        for part, name, fill, hatch, ink in PARTS:
            n = idea[part]
            width = FEW_WIDTH if n is None else n
            label = name if place == 0 else None
            [bar] = axes.barh(place, width, left=left, color=fill, hatch=hatch, label=label)
            bar.set_edgecolor("#444444")
            if width:
                box = {"facecolor": fill, "edgecolor": "none", "pad": 1.5}
                at = (left + width / 2, place)
                axes.text(
                    *at, FEW if n is None else str(n), ha="center", va="center", color=ink, bbox=box
                )
            left += width
        longest = max(longest, left)
        if idea["arrived"] != 0:
            axes.text(left, place, f"  + {in_words(idea['arrived'])} came to it", va="center")
    axes.set_yticks(range(len(ideas)), [f"{i['name']}\n{i['exercise']}" for i in ideas])
    axes.invert_yaxis()
    axes.set_xlabel("people who held the idea in round 1")
    axes.set_title("Which ideas moved, and which survived")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlim(0, 1.25 * longest)
    if ideas:
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
    else:  # an axis without bars would only ask what it measures
        axes.set_axis_off()
        middle: dict[str, Any] = {"ha": "center", "va": "center"}
        said = axes.text(0.5, 0.5, "No idea was held by three people yet.", **middle)
        said.set_transform(axes.transAxes)
    return figure


def main(form: str) -> None:
    """Reads the ideas, writes the picture."""
    import matplotlib

    matplotlib.rcParams["svg.hashsalt"] = "attn_lab"
    out = io.BytesIO()
    figure = picture(json.load(sys.stdin))
    metadata = {"Date": None} if form == "svg" else None
    figure.savefig(out, format=form, metadata=metadata, dpi=160)
    sys.stdout.buffer.write(out.getvalue())


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "svg")

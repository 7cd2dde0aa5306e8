"""Draws which ideas moved and which survived: `python -m attn_lab.classroom.moves_picture svg`.

The ideas come as JSON on standard input and the picture leaves on standard output, so that the
class server can ask for it without ever loading matplotlib.
"""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# colour-blind safe, told apart by their hatching too
PARTS = (
    ("survived", "#7b3294", "///", "white"),
    ("moved", "#a6dba0", "", "black"),
    ("no second answer", "#eeeeee", "..", "black"),
)


def picture(ideas: list[dict[str, Any]]) -> Figure:
    """Returns one bar for each idea: of those who held it, how many kept it and how many left."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 1.9 + 0.55 * max(len(ideas), 1)), layout="constrained")
    axes = figure.subplots()
    for place, idea in enumerate(ideas):
        rest = idea["held"] - idea["survived"] - idea["moved"]
        left = 0
        for (name, fill, hatch, ink), n in zip(
            PARTS, (idea["survived"], idea["moved"], rest), strict=True
        ):
            label = name if place == 0 else None
            axes.barh(
                place, n, left=left, color=fill, hatch=hatch, edgecolor="#444444", label=label
            )
            if n:
                box = {"facecolor": fill, "edgecolor": "none", "pad": 1.5}
                at = (left + n / 2, place)
                axes.text(*at, str(n), ha="center", va="center", color=ink, bbox=box)
            left += n
        if idea["arrived"]:
            axes.text(left, place, f"  + {idea['arrived']} came to it", va="center")
    axes.set_yticks(range(len(ideas)), [f"{i['name']}\n{i['exercise']}" for i in ideas])
    axes.invert_yaxis()
    axes.set_xlabel("people who held the idea in round 1")
    axes.set_title("Which ideas moved, and which survived")
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlim(0, 1.25 * max([idea["held"] for idea in ideas] or [1]))
    if ideas:
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
    else:
        axes.text(0.5, 0, "No idea was held by three people in two rounds yet.", ha="center")
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

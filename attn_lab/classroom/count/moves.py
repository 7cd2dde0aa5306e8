"""Which ideas moved between the two rounds and which survived: counted, told, drawn.

`python -m attn_lab.classroom.count.moves svg` draws: the ideas come as JSON on standard input and
the picture leaves on standard output, so that the class server never loads matplotlib.
"""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from attn_lab.classroom.count.spread import HIDE_BELOW, in_words, shown
from attn_lab.classroom.count.votes import rounds_of
from attn_lab.course.misconceptions import misconceptions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attn_lab.classroom.server.room import Room

# colour-blind safe, told apart by their hatching too
PARTS = (
    ("survived", "survived", "#7b3294", "///", "white"),
    ("moved", "moved", "#a6dba0", "", "black"),
    ("silent", "no second answer", "#eeeeee", "..", "black"),
)
FEW, FEW_WIDTH = f"<{HIDE_BELOW}", HIDE_BELOW / 2  # one or two people are drawn between them


@dataclass(frozen=True)
class Idea:
    """One misconception in one exercise, counted in people who answered alone first.

    `held` in the first round; of them `survived` gave it again, `moved` gave another answer, and
    the rest gave no second one. `arrived` gave it only in the second round.
    """

    exercise: str
    misconception: str
    held: int
    survived: int
    moved: int
    arrived: int


def ideas(room: Room) -> list[Idea]:
    """The ideas that at least three people held in some round, in the course's order."""
    found = []
    for question in room.course.values():
        given = room.given(question.id)
        rounds = rounds_of(given.rows)
        (first, second, _), _ = rounds.votes(given.grouping)
        before = {
            who: vote.group.misconception for who, vote in zip(rounds.first, first, strict=True)
        }
        after = {
            who: vote.group.misconception for who, vote in zip(rounds.second, second, strict=True)
        }
        held = Counter(idea for idea in before.values() if idea)
        again = Counter(idea for who, idea in before.items() if idea and after.get(who) == idea)
        left = Counter(
            idea for who, idea in before.items() if idea and who in after and after[who] != idea
        )
        came = Counter(
            idea for who, idea in after.items() if idea and who in before and before[who] != idea
        )
        for idea in sorted(held | came, key=lambda idea: (-held[idea], idea)):
            if max(held[idea], again[idea] + came[idea]) >= HIDE_BELOW:
                counts = (held[idea], again[idea], left[idea], came[idea])
                found.append(Idea(question.id, idea, *counts))
    return found


def told(room: Room) -> list[dict[str, Any]]:
    """The ideas with their names, as every table and picture may tell them.

    A count of one or two people is None. `silent` held the idea and gave no second answer.
    """
    return [_told(idea) for idea in ideas(room)]


def _told(idea: Idea) -> dict[str, Any]:
    counts = asdict(idea) | {"silent": idea.held - idea.survived - idea.moved}
    hidden = {key: shown(n) if isinstance(n, int) else n for key, n in counts.items()}
    return hidden | {"name": idea_name(idea.misconception)}


def idea_name(misconception: str | None) -> str:
    """What people call a misconception, "" for none."""
    known = misconceptions().get(misconception or "")
    return known.name if known else misconception or ""


def picture(ideas: list[dict[str, Any]]) -> Figure:
    """One bar for each idea: of those who held it, how many kept it and how many left."""
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
    """Read the ideas, writes the picture."""
    import matplotlib

    from attn_lab.show.figure_text import as_written

    matplotlib.rcParams["svg.hashsalt"] = "attn_lab"
    out = io.BytesIO()
    figure = as_written(picture(json.load(sys.stdin)), longest_tick=60)
    metadata = {"Date": None} if form == "svg" else None
    figure.savefig(out, format=form, metadata=metadata, dpi=160)
    sys.stdout.buffer.write(out.getvalue())


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "svg")

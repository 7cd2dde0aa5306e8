"""What every explorer is: controls, a spoken result, one picture replaced as a whole."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import ipywidgets as widgets
import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.core.threads import one_thread
from attn_lab.show.arrays import as_features
from attn_lab.show.entries import number
from attn_lab.widgets.mending import mending

ROOT = "attn-explore"
MOST_POSITIONS = 16
STALE = "Below is still the last setting that could be drawn."
WITHOUT_WIDGETS = "An explorer: run this cell in JupyterLab to move its controls."

# two lines at least, so that a longer sentence seldom moves the picture
_RESULT = (
    "border-left:4px solid var(--jp-brand-color1,#1976d2);padding:2px 8px;margin:4px 0;"
    "min-height:3em"
)
_PROBLEM = "border-left:4px solid #b26a00;padding:4px 8px;background:#fff3cd;color:#1a1a1a"


class Explorer:
    """An object that becomes widgets when it is displayed; subclasses fill the three parts.

    name is unique among explorers, controls() makes what the learner moves, and look() returns
    the result in one sentence and the picture as HTML, both for the present state.
    """

    name = "explorer"

    def __init__(self) -> None:
        self._view: widgets.VBox | None = None
        self._moving = False

    def controls(self) -> list[widgets.Widget]:
        """New controls that stand for the present state."""
        raise NotImplementedError

    def look(self) -> tuple[str, str]:
        """What is to be said and what is to be shown."""
        raise NotImplementedError

    def view(self) -> widgets.VBox:
        """The widgets, made at the first call."""
        if self._view is None:
            self.said = widgets.HTML().add_class("attn-live")
            self.shown = widgets.HTML()
            self.problem = widgets.HTML().add_class("attn-live")
            mend = widgets.HTML(mending(ROOT, self.name), layout={"display": "none"})
            parts = [*self.controls(), self.problem, self.said, self.shown, mend]
            self._view = widgets.VBox(parts, layout={"max_width": "100%"}).add_class(ROOT)
            self._view.add_class(f"attn-{self.name}")
            self.redraw()
        return self._view

    def redraw(self) -> None:
        """Show the present state; the picture is replaced in one step, never emptied first."""
        with one_thread():
            sentence, html = self.look()
        self.said.value = _block(_RESULT, f"<b>{escape(sentence)}</b>")
        self.shown.value = html

    @contextmanager
    def moving(self) -> Iterator[None]:
        """While the explorer moves its own controls, what they report is not the learner's."""
        self._moving = True
        try:
            yield
        finally:
            self._moving = False

    def watched(self, handler: Callable[[Any], None]) -> Callable[[Any], None]:
        """The handler, with its errors shown here instead of lost in a log."""

        def run(event: Any) -> None:
            if self._moving:
                return
            try:
                handler(event)
            except Exception as problem:
                self.complain(str(problem) or type(problem).__name__)
            else:
                self.complain("")

        return run

    def complain(self, text: str) -> None:
        """Show what went wrong and what to do; an empty text takes it away."""
        text = text and f"{text} {STALE}"
        self.problem.value = text and _block(_PROBLEM, escape(text))

    def __repr__(self) -> str:
        return WITHOUT_WIDGETS

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle = dict(self.view()._repr_mimebundle_())
        return {**bundle, "text/plain": repr(self)}


def paragraph(html: str) -> str:
    """Words in the theme's colour, at a height of line that reads well when wrapped."""
    return f'<div style="line-height:1.5;color:var(--jp-content-font-color1,inherit)">{html}</div>'


def _block(style: str, html: str) -> str:
    return paragraph(f'<div style="{style}">{html}</div>')


def matrices(
    q: Any, k: Any, v: Any, most: int = MOST_POSITIONS, *, square: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """`q`, `k` and `v` as float64 matrices of at most `most` positions each.

    square asks for as many queries as keys.

    Shapes: q [T, d_k], k [T, d_k], v [T, d_v].
    Raises: ValueError when a matrix has other axes, too many rows, or does not fit the others.
    """
    made = [torch.from_numpy(as_features(x, name)) for x, name in ((q, "q"), (k, "k"), (v, "v"))]
    for x, name in zip(made, "qkv", strict=True):
        if len(x) > most:
            raise ValueError(
                f"{name} needs at most {most} positions, to stay readable; got {len(x)}. "
                f"Pass the first ones, for example {name}[:{most}]."
            )
    attention(*made)  # says which shapes do not fit
    if square and len(made[0]) != len(made[1]):
        raise ValueError(
            f"q and k need the same positions, for a causal mask; got {len(made[0])} queries and "
            f"{len(made[1])} keys. Pass both from one sequence."
        )
    return made[0], made[1], made[2]


def typed_number(text: str, name: str, above: float | None = None) -> float:
    """The number that was typed: 0.25, 0,25, 1/4 and −2 are all understood.

    Raises: ValueError with what to write instead.

    >>> typed_number("1/4", "τ"), typed_number(" 0,25", "τ"), typed_number("−2", "q")
    (0.25, 0.25, -2.0)
    """
    wanted = f"{name} needs a number" + ("" if above is None else f" above {above:g}")
    advice = "Write for example 0.25 or 1/4."
    if not text.strip():
        raise ValueError(f"{wanted}; got nothing. {advice}")
    try:
        value = number(text)
    except ValueError as problem:
        raise ValueError(f"{name}: {problem}") from None
    if above is not None and value <= above:
        raise ValueError(f"{wanted}; got {text.strip()}. {advice}")
    return value


def typed_vector(text: str, name: str, size: int) -> list[float]:
    """The numbers that were typed, separated by spaces, commas or semicolons.

    Raises: ValueError when they are not `size` numbers.

    >>> typed_vector("1, 0", "query", 2), typed_vector("1/4 −2", "query", 2)
    ([1.0, 0.0], [0.25, -2.0])
    """
    parts = text.replace(",", " ").replace(";", " ").split()
    if len(parts) != size:
        raise ValueError(
            f"{name} needs {size} number{'s' if size > 1 else ''}; got {len(parts) or 'nothing'}"
            f"{': ' if parts else ''}{' '.join(parts)}. "
            "Put a space between numbers and write decimals with a point."
        )
    return [typed_number(part, name) for part in parts]


def beside(*panels: str) -> str:
    """Pictures in a row that wraps on a narrow screen."""
    items = "".join(
        f'<div style="flex:1 1 340px;min-width:0;max-width:100%">{panel}</div>' for panel in panels
    )
    row = "display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-start"
    return f'<div style="{row}">{items}</div>'


def under(*panels: str) -> str:
    """Pictures one below the other."""
    return "".join(f'<div style="margin-bottom:8px">{panel}</div>' for panel in panels)

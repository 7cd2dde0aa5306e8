"""What every explorer is: controls, a spoken result, one picture replaced as a whole."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import ipywidgets as widgets

from attn_lab.widgets.mending import mending

ROOT = "attn-explore"
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
        """Return new controls that stand for the present state."""
        raise NotImplementedError

    def look(self) -> tuple[str, str]:
        """Return what is to be said and what is to be shown."""
        raise NotImplementedError

    def view(self) -> widgets.VBox:
        """Return the widgets, made at the first call."""
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
        """Return the handler, with its errors shown here instead of lost in a log."""

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
    """Return words in the theme's colour, at a height of line that reads well when wrapped."""
    return f'<div style="line-height:1.5;color:var(--jp-content-font-color1,inherit)">{html}</div>'


def _block(style: str, html: str) -> str:
    return paragraph(f'<div style="{style}">{html}</div>')

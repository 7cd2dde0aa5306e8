"""Something shown in a cell's output: the same said as HTML and as text."""

import os
import sys
from dataclasses import dataclass, field
from typing import Any

from attn_lab.show.as_written import in_html, visible


@dataclass(frozen=True, repr=False)
class Shown:
    """HTML for a browser and text for everything else; both begin with the same bare line.

    `data` is what a program may need of it, by its mime type; front ends pass over it.
    """

    html: str
    text: str
    data: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", visible(self.text))

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/html": self.html, "text/plain": self.text, **self.data}


def always() -> bool:
    """Whether results are shown without a prediction, as builds and nbval need it."""
    return os.environ.get("ATTN_LAB_REVEAL") == "always"


def has_widgets() -> bool:
    """Whether somebody may be there to use a widget: in a notebook, and not in a build."""
    ipython = sys.modules.get("IPython")
    return bool(ipython and ipython.get_ipython()) and not always()


def show(*things: Any, instead: Any = None) -> None:
    """Display each thing in the output of the running cell, or print it where there is none.

    The first replaces what stands at `instead`, the handle of something that was displayed.
    """
    from IPython.display import display  # slow to import, and not needed to answer in code

    if instead:
        instead.update(things[0])
        things = things[1:]
    for thing in things:
        display(thing)


def line(text: str) -> Shown:
    """One bare line, without a tag: JupyterLab shows it where an output is folded away."""
    return Shown(in_html(text), text)

"""A picture: one sentence, the same thing as HTML and as text, and a figure on request."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, repr=False)
class Picture:
    """What a drawing function returns: it shows itself as the last expression of a cell.

    sentence says what is seen, html draws it, text is the sentence and its numbers, and draw
    makes the matplotlib figure only when somebody asks for it.
    """

    sentence: str
    html: str
    text: str
    draw: Callable[[], "Figure"]

    def figure(self) -> "Figure":
        """Return the picture as a matplotlib Figure, to save or to put on a slide."""
        return self.draw()

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.text}

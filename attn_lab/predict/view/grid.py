"""A grid of cells to paint: each is a button that says what it stands for and whether it is on."""

from functools import partial
from html import escape
from time import monotonic

import ipywidgets as w

from attn_lab.course.kinds import Cells
from attn_lab.predict.view.controls import guarded, live
from attn_lab.predict.view.locked import note

_CELL = {"width": "auto", "min_width": "2.6em", "height": "2.2em", "margin": "1px"}
_DOUBLE = 0.8  # seconds within which a second press is part of a double click


class Grid:
    """Buttons in rows and columns with their names; colour is never the only sign."""

    def __init__(self, question: Cells) -> None:
        self.question = question
        self.names = question.places()
        self.cells = [w.ToggleButton(value=False, layout=_CELL) for _ in self.names]
        self.note = live()
        self._asked_at: float | None = None  # when it was asked whether none is meant
        for place, cell in enumerate(self.cells):
            cell.observe(guarded(self.note, partial(self.changed, place)), "value")
            self.tell(place)
        width = len(question.columns)
        children: list[w.Widget] = [w.HTML(), *map(_head, question.columns)]
        for r, row in enumerate(question.rows):
            children += [_head(row), *self.cells[r * width : (r + 1) * width]]
        columns = f"max-content repeat({width}, minmax(2.9em, max-content))"
        grid = w.GridBox(children, layout={"grid_template_columns": columns, "grid_gap": "2px 4px"})
        grid.add_class("attn-roving")  # one stop for Tab, arrows inside
        meaning = w.HTML(f"<p>{escape(question.meaning)}</p>")
        self.root = w.VBox([meaning, w.Box([grid], layout={"overflow": "auto"}), self.note])

    def tell(self, place: int) -> None:
        """Writes a cell's state in its icon and in the name that is read aloud."""
        cell = self.cells[place]
        cell.icon = "check" if cell.value else ""
        cell.tooltip = f"{self.names[place]}: {'yes' if cell.value else 'no'}"

    def changed(self, place: int) -> None:
        """Follows a click."""
        self.tell(place)
        self.note.value, self._asked_at = "", None

    def read(self) -> list[list[int]] | None:
        """Returns the painted cells; an empty grid counts only when committed a second time."""
        if not any(cell.value for cell in self.cells) and not self._asked():
            self.note.value = note("No cell is painted. If you mean none, press Commit once more.")
            return None
        width = len(self.question.columns)
        flat = [int(cell.value) for cell in self.cells]
        return [flat[start : start + width] for start in range(0, len(flat), width)]

    def _asked(self) -> bool:
        """Says whether it was asked before, and not only just: a double click is one answer."""
        now = monotonic()
        if self._asked_at is None:
            self._asked_at = now
        return now - self._asked_at > _DOUBLE

    def take_over(self, other: "Grid") -> None:
        """Paints what was painted in an earlier form."""
        for cell, before in zip(self.cells, other.cells, strict=True):
            cell.value = before.value

    def write(self, answer: list[list[int]]) -> None:
        """Paints an earlier answer."""
        for cell, value in zip(self.cells, (one for row in answer for one in row), strict=True):
            cell.value = bool(value)


def _head(text: str) -> w.Label:
    return w.Label(text, layout={"width": "auto"})

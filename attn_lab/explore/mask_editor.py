"""The mask editor: open and close single cells, and see which rows still may read something."""

from functools import partial
from typing import Any

import ipywidgets as widgets
import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.explore.explorer import Explorer, matrices, paragraph
from attn_lab.show import heatmap
from attn_lab.show.arrays import as_allowed
from attn_lab.show.heat_value import listed
from attn_lab.widgets.named_controls import presets

MOST_POSITIONS = 8
_HINT = "Each button is a cell: open (✓) may be read, closed (⊘) is blocked. Arrow keys move."


def mask_editor(q: Any, k: Any, v: Any, *, allowed: Any = None) -> "MaskEditor":
    """An explorer of `allowed`: every cell is a button; the weights follow.

    Shapes: q [T, d_k], k [T, d_k], v [T, d_v], allowed [T, T] (causal unless given); T up to 8.
    Raises: ValueError when the shapes do not fit.

    >>> mask_editor([[1, 0]], [[1, 0]], [[10, 0]])
    An explorer: run this cell in JupyterLab to move its controls.
    """
    tensors = matrices(q, k, v, MOST_POSITIONS)
    T = len(tensors[0])
    start = causal_mask(T) if allowed is None else torch.from_numpy(as_allowed(allowed, (T, T)))
    return MaskEditor(*tensors, start)


class MaskEditor(Explorer):
    """The mask, and one button for each of its cells."""

    name = "mask-editor"

    def __init__(self, q: Tensor, k: Tensor, v: Tensor, allowed: Tensor) -> None:
        super().__init__()
        self.q, self.k, self.v = q, k, v
        self.start = self.allowed = allowed

    def controls(self) -> list[widgets.Widget]:
        T = len(self.q)
        self.cells = [[self._cell(i, j) for j in range(T)] for i in range(T)]
        parts = [_name(""), *(_name(f"key {j + 1}") for j in range(T))]
        for i, line in enumerate(self.cells):
            parts += [_name(f"query {i + 1}"), *line]
        grid = widgets.GridBox(
            parts,
            layout={
                "grid_template_columns": f"max-content repeat({T}, minmax(38px, 44px))",
                "grid_gap": "2px",
                "overflow": "auto",
                "max_width": "100%",
            },
        ).add_class("attn-roving")
        return [widgets.HTML(paragraph(_HINT)), grid, presets(self._presets(), self.watched)]

    def _cell(self, i: int, j: int) -> widgets.ToggleButton:
        cell = widgets.ToggleButton(layout={"width": "auto", "min_width": "38px", "margin": "0"})
        self._write(cell, i, j)
        cell.observe(self.watched(partial(self.on_cell, i, j)), "value")
        return cell

    def _write(self, cell: widgets.ToggleButton, i: int, j: int) -> None:
        may = bool(self.allowed[i, j])
        cell.value = may
        cell.icon = "check" if may else "ban"
        cell.tooltip = f"query {i + 1} reads key {j + 1}: {'yes' if may else 'no'}"

    def _presets(self) -> dict[str, Any]:
        T = len(self.q)
        causal, everything = causal_mask(T), torch.ones(T, T, dtype=torch.bool)
        padded, first_padded = everything.clone(), everything.clone()
        padded[:, T - T // 2 :] = False  # padding behind the real keys
        first_padded[:, : T // 2] = False  # padding before them
        made = {
            "as at the start": self.start,
            "causal": causal,
            "everything open": everything,
            "causal, last keys padding": causal & padded,
            "causal, first keys padding": causal & first_padded,
        }
        return {text: partial(self.choose, allowed) for text, allowed in made.items()}

    def on_cell(self, i: int, j: int, change: Any) -> None:
        allowed = self.allowed.clone()
        allowed[i, j] = bool(change["new"])
        self.choose(allowed)

    def choose(self, allowed: Tensor) -> None:
        """Take over a mask: write the buttons that differ, then redraw once."""
        changed = (allowed != self.allowed).nonzero().tolist()
        self.allowed = allowed
        with self.moving():
            for i, j in changed:
                self._write(self.cells[i][j], i, j)
        self.redraw()

    def look(self) -> tuple[str, str]:
        weights = attention(
            self.q, self.k, self.v, allowed=self.allowed, fully_masked="zero"
        ).weights
        return rows_said(self.allowed), heatmap(weights, allowed=self.allowed).html


def rows_said(allowed: Tensor) -> str:
    """How many keys each query may read, and which queries may read none.

    >>> rows_said(torch.tensor([[True, False], [True, True]]))
    'How many keys each query may read: 1, 2. Every query may read something.'
    """
    counts = allowed.sum(dim=1).tolist()
    said = f"How many keys each query may read: {', '.join(map(str, counts))}."
    empty = [str(i + 1) for i, count in enumerate(counts) if count == 0]
    if not empty:
        return f"{said} Every query may read something."
    who = f"Query {empty[0]}" if len(empty) == 1 else f"Queries {listed(empty, len(empty))}"
    rows = "this row" if len(empty) == 1 else "these rows"
    gives = "it" if len(empty) == 1 else "them"
    return (
        f"{said} {who} may read no key: attention refuses {rows} by default, "
        f'and fully_masked="zero" gives {gives} weights 0 and output 0.'
    )


def _name(text: str) -> widgets.Widget:
    return widgets.Label(text, layout={"margin": "0 2px", "width": "auto"})

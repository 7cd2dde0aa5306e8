"""The mask editor: open and close single cells, and see which rows still may read something."""

from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.explore.explorer import Explorer, matrices
from attn_lab.show import heatmap
from attn_lab.show.arrays import as_allowed
from attn_lab.show.heat_value import listed
from attn_lab.widgets.panel import PROBLEM
from attn_lab.widgets.parts import Part, grid, region, sides

MOST_POSITIONS = 8
_HINT = (
    "Each button is a cell: ✓ is open and may be read, an empty one is blocked. Arrow keys move."
)


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

    def controls(self) -> list[Part]:
        count = range(1, len(self.q) + 1)
        queries, keys = ([f"{word} {i}" for i in count] for word in ("query", "key"))
        return [grid("cells", "the mask", queries, keys, "reads", hint=_HINT)]

    def laid_out(self) -> list[Part]:
        said = [region(PROBLEM, live=True), region("said", "attn-result", live=True)]
        return [sides(*self.controls(), region("shown")), self.preset_buttons(), *said]

    def values(self) -> dict[str, Any]:
        return {"cells": self.allowed.int().tolist()}

    def moved(self, name: str, value: Any) -> None:
        self.allowed = torch.tensor(value, dtype=torch.bool)

    def presets(self) -> dict[str, Any]:
        T = len(self.q)
        causal, everything = causal_mask(T), torch.ones(T, T, dtype=torch.bool)
        padded, first_padded = everything.clone(), everything.clone()
        padded[:, T - T // 2 :] = False  # padding behind the real keys
        first_padded[:, : T // 2] = False  # padding before them
        made = {
            "as at the start": ("", self.start),
            "causal": ("who may read the most?", causal),
            "everything open": ("which rows move?", everything),
            "causal, last keys padding": ("which rows lose a key?", causal & padded),
            "causal, first keys padding": ("who has nothing left?", causal & first_padded),
        }
        return {text: (why, partial(self.choose, allowed)) for text, (why, allowed) in made.items()}

    def choose(self, allowed: Tensor) -> None:
        """Take over a mask."""
        self.allowed = allowed

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

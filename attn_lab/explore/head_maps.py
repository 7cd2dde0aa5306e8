"""Heads side by side: one head's map, and how every head reads for the same query."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import ipywidgets as widgets
from torch import Tensor

from attn_lab.explore.explorer import Explorer
from attn_lab.explore.head_stack import HeadStack, stacked
from attn_lab.explore.head_views import MEAN, Chosen, drawn, said
from attn_lab.widgets.named_controls import choice, presets, wrapped


def heads(
    weights: Tensor | Sequence[Tensor] | Mapping[str, Tensor],
    *,
    allowed: Any = None,
    labels: Sequence[object] | None = None,
) -> "Heads":
    """Return an explorer of all heads of one sequence, layer by layer.

    Shapes: weights [n_heads, T_q, T_k], or one such tensor for each layer; allowed [T_q, T_k];
    labels name the positions, for example with their tokens.
    Raises: ValueError for other axes, for more than 16 heads or positions, and for a batch.

    >>> import torch
    >>> heads(torch.eye(2).repeat(2, 1, 1))
    An explorer: run this cell in JupyterLab to move its controls.
    """
    return Heads(stacked(weights, allowed, labels))


class Heads(Explorer):
    """The explorer's choice and its controls."""

    name = "heads"

    def __init__(self, stack: HeadStack) -> None:
        super().__init__()
        self.stack = stack
        self.chosen = Chosen(query=len(stack.queries) - 1)

    def controls(self) -> list[widgets.Widget]:
        stack, made = self.stack, []
        self.pickers: dict[str, widgets.Widget] = {}
        names = [(name, i) for i, name in enumerate(stack.names)]
        heads = [(f"head {i + 1}", i) for i in range(stack.n_heads)] + [("mean of heads", MEAN)]
        queries = [(name, i) for i, name in enumerate(stack.queries)]
        for what, options in (("layer", names), ("head", heads), ("query", queries)):
            if what == "layer" and len(names) == 1:
                continue
            picker = choice(what, options, getattr(self.chosen, what))
            picker.observe(self.watched(partial(self.on_pick, what)), "value")
            self.pickers[what] = picker
            made.append(picker)
        return [wrapped(*made), presets(self._presets(), self.watched)]

    def _presets(self) -> dict[str, Any]:
        sharpest, most_even = self.stack.sharpest(), self.stack.most_even()
        layer, head, query = self.stack.most_apart()
        return {
            "the sharpest head": lambda: self.on_head(*sharpest),
            "the most even head": lambda: self.on_head(*most_even),
            "where heads differ most": lambda: self.choose(Chosen(layer, head, query)),
            "the mean of heads": lambda: self.on_head(self.chosen.layer, MEAN),
        }

    def on_head(self, layer: int, head: int) -> None:
        self.choose(replace(self.chosen, layer=layer, head=head))

    def on_pick(self, what: str, change: Any) -> None:
        self.choose(replace(self.chosen, **{what: change["new"]}))

    def choose(self, chosen: Chosen) -> None:
        """Take over a choice, move every control to it and redraw once."""
        with self.moving():
            self.chosen = chosen
            for what, picker in self.pickers.items():
                picker.value = getattr(chosen, what)
            self.redraw()

    def look(self) -> tuple[str, str]:
        return said(self.stack, self.chosen), drawn(self.stack, self.chosen)

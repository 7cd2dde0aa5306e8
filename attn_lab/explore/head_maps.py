"""Heads side by side: one head's map, and how every head reads for the same query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import ipywidgets as widgets
import torch
from torch import Tensor

from attn_lab.explore.controls import choice, presets, wrapped
from attn_lab.explore.explorer import Explorer
from attn_lab.explore.head_stack import HeadStack, stacked
from attn_lab.explore.panels import under
from attn_lab.show import heatmap
from attn_lab.show.numbers import two

MEAN = -1


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

    >>> heads(torch.eye(2).repeat(2, 1, 1))
    An explorer: run this cell in JupyterLab to move its controls.
    """
    return Heads(stacked(weights, allowed, labels))


@dataclass(frozen=True)
class Chosen:
    """Which map and which row of it; all count from 0, and head MEAN is the mean of all."""

    layer: int = 0
    head: int = 0
    query: int = 0


class Heads(Explorer):
    """The explorer's choice and its controls."""

    name = "heads"

    def __init__(self, stack: HeadStack) -> None:
        super().__init__()
        self.stack = stack
        self.chosen = Chosen(query=len(stack.queries) - 1)
        self._moving = False

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
        if not self._moving:
            self.choose(replace(self.chosen, **{what: change["new"]}))

    def choose(self, chosen: Chosen) -> None:
        """Take over a choice, move every control to it and redraw once."""
        self._moving = True
        try:
            self.chosen = chosen
            for what, picker in self.pickers.items():
                picker.value = getattr(chosen, what)
            self.redraw()
        finally:
            self._moving = False

    def look(self) -> tuple[str, str]:
        return said(self.stack, self.chosen), drawn(self.stack, self.chosen)


def said(stack: HeadStack, chosen: Chosen) -> str:
    """Return where the chosen head reads for the chosen query, and where the others do."""
    layer = "" if len(stack.names) == 1 else f"{stack.names[chosen.layer]}, "
    who = "the mean of heads" if chosen.head == MEAN else f"head {chosen.head + 1}"
    parts = [
        f"{layer}{who}, {_said('query', stack.queries[chosen.query])}: "
        f"most weight on {_most(stack, chosen)}"
    ]
    others = [h for h in range(stack.n_heads) if h != chosen.head]
    parts += [f"head {h + 1}: {_most(stack, replace(chosen, head=h))}" for h in others]
    return _sentence_case("; ".join(parts) + ".")


def _most(stack: HeadStack, chosen: Chosen) -> str:
    row = map_of(stack, chosen)[chosen.query]
    if not row.any():
        return "no key"
    j = int(row.argmax())
    return f"{_said('key', stack.keys[j])}, {two(row[j])}"


def _said(word: str, name: str) -> str:
    """A position in a sentence: "query 3", or with a label "query 3 bank"."""
    return name if name.startswith(word) else f"{word} {name}"


def _sentence_case(text: str) -> str:
    return text[0].upper() + text[1:]


def map_of(stack: HeadStack, chosen: Chosen) -> Tensor:
    """Return the chosen head's weights [T_q, T_k]; for MEAN the mean over the layer's heads."""
    layer = stack.layers[chosen.layer]
    return layer.mean(dim=0) if chosen.head == MEAN else layer[chosen.head]


def drawn(stack: HeadStack, chosen: Chosen) -> str:
    """Return the chosen map, and below it the chosen query's row in every head."""
    who = "mean of heads" if chosen.head == MEAN else f"head {chosen.head + 1}"
    marked = [q + (" ◂" if i == chosen.query else "") for i, q in enumerate(stack.queries)]
    one = heatmap(
        map_of(stack, chosen),
        allowed=stack.allowed,
        queries=marked,
        keys=stack.keys,
        title=_sentence_case(f"{stack.names[chosen.layer]}, {who}"),
    )
    rows = torch.cat([layer[:, chosen.query] for layer in stack.layers])  # [layers * n_heads, T_k]
    allowed = None if stack.allowed is None else stack.allowed[chosen.query].expand(rows.shape)
    names = [f"{name}, head {h + 1}" for name in stack.names for h in range(stack.n_heads)]
    every = heatmap(
        rows,
        allowed=allowed,
        queries=names,
        keys=stack.keys,
        axes=("head", "key"),
        title=_sentence_case(f"{_said('query', stack.queries[chosen.query])} in every head"),
    )
    return under(one.html, every.html)

"""Heads side by side: one head's map, and how every head reads for the same query."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn_lab.explore.explorer import Explorer, beside, pressable
from attn_lab.show import heatmap
from attn_lab.show.arrays import as_allowed, as_array, as_labels
from attn_lab.show.printed_numbers import two
from attn_lab.widgets.parts import Part, choice, row

MOST = 16
MEAN = -1


@dataclass(frozen=True)
class HeadStack:
    """Layers of weights [n_heads, T_q, T_k], all of one shape, and what they are called."""

    names: list[str]
    layers: list[Tensor]
    allowed: Tensor | None
    queries: list[str]
    keys: list[str]

    @property
    def n_heads(self) -> int:
        return int(self.layers[0].shape[0])

    def _largest(self) -> Tensor:
        """The mean of each head's largest weights over its rows [layers, n_heads]."""
        return torch.stack([layer.amax(dim=-1).mean(dim=-1) for layer in self.layers])

    def sharpest(self) -> tuple[int, int]:
        """Layer and head of the map whose rows keep the most on one key."""
        return divmod(int(self._largest().argmax()), self.n_heads)

    def most_even(self) -> tuple[int, int]:
        """Layer and head of the map whose rows spread the most."""
        return divmod(int(self._largest().argmin()), self.n_heads)

    def most_apart(self) -> tuple[int, int, int]:
        """Layer, head and query where two heads of one layer differ most."""
        best, found = -1.0, (0, 0, 0)
        for at, layer in enumerate(self.layers):
            for h in range(self.n_heads):
                apart = (layer - layer[h]).abs().sum(dim=-1).amax(dim=0)  # [T_q]
                query = int(apart.argmax())
                if float(apart[query]) > best + 1e-12:
                    best, found = float(apart[query]), (at, h, query)
        return found


@dataclass(frozen=True)
class Chosen:
    """Which map and which row of it; all count from 0, and head MEAN is the mean of all."""

    layer: int = 0
    head: int = 0
    query: int = 0


def heads(
    weights: Tensor | Sequence[Tensor] | Mapping[str, Tensor],
    *,
    allowed: Any = None,
    labels: Sequence[object] | None = None,
) -> "Heads":
    """An explorer of all heads of one sequence, layer by layer.

    Shapes: weights [n_heads, T_q, T_k], or one such tensor for each layer; allowed [T_q, T_k];
    labels name the positions, for example with their tokens.
    Raises: ValueError for other axes, for more than 16 heads or positions, and for a batch.

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

    def controls(self) -> list[Part]:
        stack = self.stack
        layers = [(name, i) for i, name in enumerate(stack.names)]
        heads = [(_who(h), h) for h in [*range(stack.n_heads), MEAN]]
        queries = [(name, i) for i, name in enumerate(stack.queries)]
        several = [choice("layer", "layer", layers)] if len(layers) > 1 else []
        return [row(*several, choice("head", "head", heads), choice("query", "query", queries))]

    def values(self) -> dict[str, Any]:
        return asdict(self.chosen)

    def moved(self, name: str, value: Any) -> None:
        if name == "row":  # pressed on the map: the query
            name, value = "query", value[0]
        elif name == "line":  # pressed on the rows of every head, layer by layer
            layer, head = divmod(value[0], self.stack.n_heads)
            return self.on_head(layer, head)
        self.choose(replace(self.chosen, **{name: value}))

    def presets(self) -> dict[str, Any]:
        sharpest, most_even = self.stack.sharpest(), self.stack.most_even()
        most_apart = Chosen(*self.stack.most_apart())
        mean = self.chosen.layer, MEAN
        return {
            "the sharpest head": ("does it read one word?", partial(self.on_head, *sharpest)),
            "the most even head": (
                "is there a row that stands out?",
                partial(self.on_head, *most_even),
            ),
            "where heads differ most": ("who reads what for it?", partial(self.choose, most_apart)),
            "the mean of heads": ("what does a mean hide?", partial(self.on_head, *mean)),
        }

    def on_head(self, layer: int, head: int) -> None:
        """Take over a head; the query stays."""
        self.choose(replace(self.chosen, layer=layer, head=head))

    def choose(self, chosen: Chosen) -> None:
        """Take over a choice."""
        self.chosen = chosen

    def look(self) -> tuple[str, str]:
        return said(self.stack, self.chosen), drawn(self.stack, self.chosen)


def stacked(
    weights: Tensor | Sequence[Tensor] | Mapping[str, Tensor],
    allowed: Any,
    labels: Sequence[object] | None,
) -> HeadStack:
    """Checked layers; a batch of one sequence is taken for that sequence."""
    layers = {name: _layer(x, name) for name, x in _by_name(weights).items()}
    tensors = list(layers.values())
    for name, x in layers.items():
        if x.shape != tensors[0].shape:
            raise ValueError(
                f"weights needs layers of one shape, {list(tensors[0].shape)}; got "
                f"{list(x.shape)} in {name}. Pass the maps of one sequence through one model."
            )
    _, n_queries, n_keys = tensors[0].shape
    return HeadStack(
        list(layers),
        tensors,
        None if allowed is None else torch.from_numpy(as_allowed(allowed, (n_queries, n_keys))),
        queries=_numbered(labels, n_queries, "query"),
        keys=_numbered(labels, n_keys, "key"),
    )


def _by_name(weights: Any) -> dict[str, Any]:
    if isinstance(weights, Mapping):
        return {str(name): x for name, x in weights.items()}
    if hasattr(weights, "ndim"):  # one tensor or array, not a list of them
        return {"layer 1": weights}
    return {f"layer {i + 1}": x for i, x in enumerate(weights)}


def _layer(x: Any, name: str) -> Tensor:
    made = torch.from_numpy(as_array(x, name))
    if made.dim() == 4 and len(made) == 1:
        made = made[0]
    if made.dim() != 3:
        how = (
            "Choose one sequence, for example weights[0]."
            if made.dim() > 3
            else "For one head, draw it with heatmap."
        )
        raise ValueError(
            f"{name} needs three axes, heads, queries and keys [n_heads, T_q, T_k]; got shape "
            f"{list(made.shape)}. {how}"
        )
    if max(made.shape) > MOST:
        raise ValueError(
            f"{name} needs at most {MOST} heads and positions, to stay readable; got "
            f"{list(made.shape)}. Pass a part, for example weights[:, :{MOST}, :{MOST}]."
        )
    return made


def _numbered(labels: Sequence[object] | None, count: int, word: str) -> list[str]:
    texts = as_labels(labels, count, "labels", word)
    return texts if labels is None else [f"{i + 1} {text}" for i, text in enumerate(texts)]


def said(stack: HeadStack, chosen: Chosen) -> str:
    """Where the chosen head reads for the chosen query, and where the others do."""
    layer = "" if len(stack.names) == 1 else f"{stack.names[chosen.layer]}, "
    who = "the mean of heads" if chosen.head == MEAN else _who(chosen.head)
    parts = [
        f"{layer}{who}, {_said('query', stack.queries[chosen.query])}: "
        f"most weight on {_most(stack, chosen)}"
    ]
    others = [h for h in range(stack.n_heads) if h != chosen.head]
    parts += [f"{_who(h)}: {_most(stack, replace(chosen, head=h))}" for h in others]
    return _sentence_case("; ".join(parts) + ".")


def _most(stack: HeadStack, chosen: Chosen) -> str:
    row = map_of(stack, chosen)[chosen.query]
    if not row.any():
        return "no key"
    j = int(row.argmax())
    return f"{_said('key', stack.keys[j])}, {two(row[j])}"


def map_of(stack: HeadStack, chosen: Chosen) -> Tensor:
    """The chosen head's weights [T_q, T_k]; for MEAN the mean over the layer's heads."""
    layer = stack.layers[chosen.layer]
    return layer.mean(dim=0) if chosen.head == MEAN else layer[chosen.head]


def drawn(stack: HeadStack, chosen: Chosen) -> str:
    """The chosen map, and below it the chosen query's row in every head."""
    marked = [q + (" ◂" if i == chosen.query else "") for i, q in enumerate(stack.queries)]
    title = _sentence_case(f"{stack.names[chosen.layer]}, {_who(chosen.head)}")
    one = heatmap(
        map_of(stack, chosen),
        allowed=stack.allowed,
        queries=marked,
        keys=stack.keys,
        title=title,
    )
    rows = torch.cat([layer[:, chosen.query] for layer in stack.layers])  # [layers * n_heads, T_k]
    every = heatmap(
        rows,
        allowed=None if stack.allowed is None else stack.allowed[chosen.query].expand(rows.shape),
        queries=[f"{name}, {_who(h)}" for name in stack.names for h in range(stack.n_heads)],
        axes=("head", "key"),
        title=_sentence_case(f"{_said('query', stack.queries[chosen.query])} in every head"),
        keys=stack.keys,
    )
    return beside(pressable("row", one.html), pressable("line", every.html))


def _who(head: int) -> str:
    return "mean of heads" if head == MEAN else f"head {head + 1}"


def _said(word: str, name: str) -> str:
    """A position in a sentence: "query 3", or with a label "query 3 bank"."""
    return name if name.startswith(word) else f"{word} {name}"


def _sentence_case(text: str) -> str:
    return text[0].upper() + text[1:]

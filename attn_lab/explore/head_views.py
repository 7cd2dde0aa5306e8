"""The chosen head in words and as a map, and its query's row in every head."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from attn_lab.explore.head_stack import HeadStack
from attn_lab.explore.panels import under
from attn_lab.show import heatmap
from attn_lab.show.numbers import two

MEAN = -1


@dataclass(frozen=True)
class Chosen:
    """Which map and which row of it; all count from 0, and head MEAN is the mean of all."""

    layer: int = 0
    head: int = 0
    query: int = 0


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

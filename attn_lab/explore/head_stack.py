"""The weights of all heads, layer by layer, with the names of their positions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attn_lab.show.arrays import as_allowed, as_array, as_labels

MOST = 16


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
        """Return layer and head of the map whose rows keep the most on one key."""
        return _place(self._largest(), int(self._largest().argmax()))

    def most_even(self) -> tuple[int, int]:
        """Return layer and head of the map whose rows spread the most."""
        return _place(self._largest(), int(self._largest().argmin()))

    def most_apart(self) -> tuple[int, int, int]:
        """Return layer, head and query where two heads of one layer differ most."""
        best, found = -1.0, (0, 0, 0)
        for at, layer in enumerate(self.layers):
            for h in range(self.n_heads):
                apart = (layer - layer[h]).abs().sum(dim=-1).amax(dim=0)  # [T_q]
                query = int(apart.argmax())
                if float(apart[query]) > best + 1e-12:
                    best, found = float(apart[query]), (at, h, query)
        return found


def stacked(
    weights: Tensor | Sequence[Tensor] | Mapping[str, Tensor],
    allowed: Any,
    labels: Sequence[object] | None,
) -> HeadStack:
    """Return checked layers; a batch of one sequence is taken for that sequence."""
    layers = _layers(weights)
    tensors = [_layer(x, name) for name, x in layers.items()]
    n_queries, n_keys = tensors[0].shape[1:]
    for name, x in zip(layers, tensors, strict=True):
        if x.shape != tensors[0].shape:
            raise ValueError(
                f"weights needs layers of one shape, {list(tensors[0].shape)}; got "
                f"{list(x.shape)} in {name}. Pass the maps of one sequence through one model."
            )
    legal = None
    if allowed is not None:
        legal = torch.from_numpy(as_allowed(allowed, (n_queries, n_keys)))
    return HeadStack(
        list(layers),
        tensors,
        legal,
        queries=_named(labels, n_queries, "query"),
        keys=_named(labels, n_keys, "key"),
    )


def _layers(weights: Any) -> dict[str, Any]:
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


def _named(labels: Sequence[object] | None, count: int, word: str) -> list[str]:
    places = as_labels(None, count, "labels", word)
    if labels is None:
        return places
    texts = as_labels(labels, count, "labels", word)
    return [f"{i + 1} {text}" for i, text in enumerate(texts)]


def _place(table: Tensor, flat: int) -> tuple[int, int]:
    return flat // table.shape[1], flat % table.shape[1]

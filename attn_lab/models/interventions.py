"""Changing what a trained model's cells deliver, and running the rest of the model on it.

A cell is one place of one head's map: query i reads key j. What it delivers is its weight times
the value it reads. Four ways to take that away:

    zero     the cell delivers nothing
    mean     it delivers its mean over 4,000 normal sequences
    swap     it delivers what it delivered in another sequence
    block    its score becomes -inf before softmax: the row spreads its weight over other keys
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import torch

from attn_lab.core.masks import causal_mask
from attn_lab.core.threads import one_thread
from attn_lab.models.recall_model import N_HEADS, N_LAYERS, Layer, RecallModel
from attn_lab.models.recall_task import LENGTH

How = Literal["zero", "mean", "swap", "block"]
HOWS: tuple[How, ...] = ("zero", "mean", "swap", "block")


class Cell(NamedTuple):
    """One cell of one map; layer, head, query and key count from 1, as on the picture's axes."""

    layer: int
    head: int
    query: int
    key: int


class Run(NamedTuple):
    """What one pass computed.

    Shapes: logits [B, 17], state [B, 32], per layer weights [B, 2, 10, 10], values [B, 2, 10, 16]
    """

    logits: torch.Tensor
    state: torch.Tensor
    weights: list[torch.Tensor]
    values: list[torch.Tensor]

    def weight_of(self, cell: Cell) -> torch.Tensor:
        """The weight of one cell in each sequence.

        Shapes: -> [B]
        """
        layer, head, query, key = cell
        return self.weights[layer - 1][:, head - 1, query - 1, key - 1]

    @property
    def delivered(self) -> list[torch.Tensor]:
        """What each cell delivers, its weight times its value.

        Shapes: per layer [B, 2, 10, 10, 16]; the sum over keys is what a head reads
        """
        pairs = zip(self.weights, self.values, strict=True)
        return [weights[..., None] * values[:, :, None] for weights, values in pairs]


def head_cells(layer: int, head: int) -> list[Cell]:
    """All legal cells of one head, so that the whole head can be taken away.

    >>> len(head_cells(1, 2))
    55
    """
    return [Cell(layer, head, i, j) for i in range(1, LENGTH + 1) for j in range(1, i + 1)]


@one_thread()
def run(
    model: RecallModel,
    tokens: torch.Tensor,
    cells: Iterable[Cell] = (),
    how: How = "zero",
    instead: Sequence[torch.Tensor] | None = None,
) -> Run:
    """Run the model with `cells` changed; `instead` holds what "mean" and "swap" deliver.

    Shapes: tokens [B, 10]; instead, per layer [N, 2, 10, 10, 16]: sequence b takes row b % N
    Raises: ValueError for an unknown way, a cell that does not exist or nothing to put instead.
    """
    chosen = _by_layer(cells)
    if how not in HOWS:
        raise ValueError(f"how: expected one of {', '.join(HOWS)}, got {how!r}.")
    if how in ("mean", "swap") and instead is None:
        raise ValueError(f"instead: expected what the cells deliver under {how!r}, got None.")
    stream = model.embed(tokens)
    weights, values = [], []
    for number, layer in enumerate(model.layers):
        put = None if instead is None or how in ("zero", "block") else instead[number]
        stream, seen, v = _step(layer, stream, chosen[number], how == "block", put)
        weights.append(seen)
        values.append(v)
    return Run(model.read_out(stream), stream[:, -1], weights, values)


def _step(
    layer: Layer,
    x: torch.Tensor,
    changed: torch.Tensor,
    block: bool,
    put: torch.Tensor | None,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    allowed = causal_mask(x.shape[-2], device=x.device)
    if block:
        allowed = (allowed & ~changed.to(x.device))[None]  # [1, 2, T, T]
    weights, v = layer.reading(x, allowed)
    read = weights @ v  # [B, 2, T, 16]
    if not block and changed.any():
        head, query, key = changed.to(x.device).nonzero().T
        leaves = weights[:, head, query, key, None] * v[:, head, key]  # [B, cells, 16]
        takes = torch.arange(len(x), device=x.device)
        arrives = 0 if put is None else put[:, head, query, key][takes % len(put)]
        rows = head * x.shape[-2] + query
        read = read.flatten(1, 2).index_add(1, rows, arrives - leaves).unflatten(1, read.shape[1:3])
    return layer.write(x, read), weights, v


def _by_layer(cells: Iterable[Cell]) -> torch.Tensor:
    chosen = torch.zeros(N_LAYERS, N_HEADS, LENGTH, LENGTH, dtype=torch.bool)
    for cell in cells:
        layer, head, query, key = cell
        legal = 1 <= key <= query <= LENGTH and 1 <= layer <= N_LAYERS and 1 <= head <= N_HEADS
        if not legal:
            raise ValueError(
                f"cells: expected layer 1 to {N_LAYERS}, head 1 to {N_HEADS} and "
                f"key <= query <= {LENGTH}, got {cell}; all four count from 1."
            )
        chosen[layer - 1, head - 1, query - 1, key - 1] = True
    return chosen

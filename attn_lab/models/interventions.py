"""Changing what a trained model's cells deliver, and running the rest of the model on it.

A cell is one place of one head's map: query i reads key j. What it delivers is its weight times
the value it reads. Four ways to take that away:

    zero     the cell delivers nothing
    mean     it delivers its mean over 4,000 normal texts
    swap     it delivers what it delivered in another text
    block    its score becomes -inf before softmax: the row spreads its weight over other keys
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import torch

from attn_lab.core.attention import masked_softmax, scaled_scores
from attn_lab.core.heads import merge_heads, project, split_heads
from attn_lab.core.masks import causal_mask
from attn_lab.core.threads import one_thread
from attn_lab.models.sentence_model import AttentionOnly

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

    Shapes: logits [B, 56], state [B, 32], per layer weights [B, n_heads, T, T] and values
    [B, n_heads, T, d_head]
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

        Shapes: per layer [B, n_heads, T, T, d_head]; the sum over keys is what a head reads
        """
        pairs = zip(self.weights, self.values, strict=True)
        return [weights[..., None] * values[:, :, None] for weights, values in pairs]


def head_cells(layer: int, head: int, T: int) -> list[Cell]:
    """All legal cells of one head, so that the whole head can be taken away.

    >>> len(head_cells(1, 2, T=14))
    105
    """
    return [Cell(layer, head, i, j) for i in range(1, T + 1) for j in range(1, i + 1)]


@one_thread()
def run(
    model: AttentionOnly,
    tokens: torch.Tensor,
    cells: Iterable[Cell] = (),
    how: How = "zero",
    instead: Sequence[torch.Tensor] | None = None,
) -> Run:
    """Run the model with `cells` changed; `instead` holds what "mean" and "swap" deliver.

    Shapes: tokens [B, T]; instead, per layer [N, n_heads, T, T, d_head]: text b takes row b % N
    Raises: ValueError for an unknown way, a cell that does not exist or nothing to put instead.
    """
    if how not in HOWS:
        raise ValueError(f"how: expected one of {', '.join(HOWS)}, got {how!r}.")
    if how in ("mean", "swap") and instead is None:
        raise ValueError(f"instead: expected what the cells deliver under {how!r}, got None.")
    changed = _by_layer(cells, len(model.layers), model.n_heads, tokens.shape[-1])
    x = model.words[tokens] + model.places[: tokens.shape[-1]]
    weights, values = [], []
    for number, (w_q, w_k, w_v, w_o) in enumerate(model.layers):
        q, k, v = (split_heads(project(x, w), model.n_heads) for w in (w_q, w_k, w_v))
        put = instead[number] if instead is not None and how in ("mean", "swap") else None
        read, seen = _read(q, k, v, changed[number].to(x.device), how == "block", put)
        x = x + project(merge_heads(read), w_o)
        weights.append(seen)
        values.append(v)
    return Run(project(x[:, -1], model.answer), x[:, -1], weights, values)


def _read(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    changed: torch.Tensor,
    block: bool,
    put: torch.Tensor | None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """What each head reads with its cells changed, and its weights.

    Shapes: q, k, v [B, n_heads, T, d_head]; changed [n_heads, T, T] bool
    """
    T = q.shape[-2]
    allowed = causal_mask(T, device=q.device)
    if block:
        allowed = (allowed & ~changed)[None]  # [1, n_heads, T, T]
    weights = masked_softmax(scaled_scores(q, k), allowed)
    read = weights @ v
    if not block and changed.any():
        head, query, key = changed.nonzero().T
        leaves = weights[:, head, query, key, None] * v[:, head, key]  # [B, cells, d_head]
        takes = torch.arange(len(q), device=q.device)
        arrives = 0 if put is None else put[:, head, query, key][takes % len(put)]
        rows = read.flatten(1, 2).index_add(1, head * T + query, arrives - leaves)
        read = rows.unflatten(1, read.shape[1:3])
    return read, weights


def _by_layer(cells: Iterable[Cell], n_layers: int, n_heads: int, T: int) -> torch.Tensor:
    chosen = torch.zeros(n_layers, n_heads, T, T, dtype=torch.bool)
    for cell in cells:
        layer, head, query, key = cell
        legal = 1 <= key <= query <= T and 1 <= layer <= n_layers and 1 <= head <= n_heads
        if not legal:
            raise ValueError(
                f"cells: expected layer 1 to {n_layers}, head 1 to {n_heads} and "
                f"key <= query <= {T}, got {cell}; all four count from 1."
            )
        chosen[layer - 1, head - 1, query - 1, key - 1] = True
    return chosen

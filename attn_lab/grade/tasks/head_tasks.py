"""Inputs and known mistakes of the tasks about heads."""

from typing import Any

import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.core.heads import merge_heads, split_heads
from attn_lab.core.masks import causal_mask
from attn_lab.grade.mistakes import in_group
from attn_lab.grade.tasks.task_entry import Case, Grader, Part, known

F64 = torch.float64
OTHERS = torch.tensor([[1, 0, 1], [0, 1, 1], [1, 1, 0]]).bool()


def _counted(*shape: int) -> Tensor:
    return torch.arange(torch.Size(shape).numel(), dtype=F64).reshape(shape)


def _split(trying: str, x: Tensor, n_heads: int) -> Case:
    return Case(f"{trying}, to be split", {"x": x, "n_heads": n_heads})


def _merge(trying: str, heads: Tensor) -> Case:
    return Case(f"{trying}, to be merged", {"heads": heads}, function=1)


SPLIT_MERGE_HEADS = Grader(
    task="07/split-merge-heads",
    parts=(
        (Part("heads", ("head", "position", "column")),),
        (Part("merged rows", ("position", "column")),),
    ),
    cases=(
        _split("two positions", _counted(2, 4), 2),
        _split("three positions", _counted(3, 8), 2),
        _split("a batch", _counted(2, 3, 6), 3),
        _merge("two heads", _counted(2, 3, 2)),
        _merge("three heads", _counted(3, 2, 4)),
        _merge("a batch", _counted(2, 3, 4, 2)),
    ),
    right=(split_heads, merge_heads),
    mistakes=(
        *(known(entry, entry.run, merge_heads) for entry in in_group("split")),
        *(known(entry, split_heads, entry.run) for entry in in_group("merge")),
    ),
)


def _draw(seed: int, *shape: int) -> Tensor:
    made = torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=F64)
    return (made * 2).round() / 2  # halves: short to read, never all alike


def _layer(trying: str, x: Tensor, n_heads: int, d_v: int, allowed: Tensor | None = None) -> Case:
    width, T = x.shape[-1], x.shape[-2]
    w_q, w_k = _draw(1, width, width), _draw(2, width, width)
    w_v, w_o = _draw(3, width, n_heads * d_v), _draw(4, n_heads * d_v, width)
    weights = {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}
    allowed = causal_mask(T) if allowed is None else allowed
    return Case(trying, {"x": x, **weights, "n_heads": n_heads, "allowed": allowed})


def right(
    x: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    w_o: Tensor,
    n_heads: int,
    allowed: Tensor | None = None,
) -> Any:
    """The whole layer, as the course means it."""
    q, k, v = (split_heads(x @ w, n_heads) for w in (w_q, w_k, w_v))
    output, weights = attention(q, k, v, allowed=allowed)
    return merge_heads(output) @ w_o, weights


MULTI_HEAD = Grader(
    task="07/multi-head",
    parts=((Part("output", ("position", "column")), Part("weights", ("head", "query", "key"))),),
    cases=(
        _layer("three positions, two heads", _draw(5, 3, 4), 2, 2),
        _layer("a mask that is not causal", _draw(5, 3, 4), 2, 2, OTHERS),
        _layer("values of another width than keys", _draw(6, 3, 4), 2, 4),
        _layer("three heads", _draw(7, 4, 6), 3, 2),
        _layer("a batch", _draw(8, 2, 5, 6), 2, 3),
    ),
    right=(right,),
    mistakes=tuple(map(known, in_group("heads"))),
    asked=("allowed",),
)

"""Inputs and known mistakes of the task about attention: plain, then with what it may take."""

from typing import Any

import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.grade.mistakes import in_group
from attn_lab.grade.tasks.task_entry import Case, Grader, Part, known

F64 = torch.float64
# Four queries, keys and values with d_k 4 and d_v 3. Each axis has a size of its own in a case,
# scores stay within -2 to 3, and no key is every query's favourite.
Q = torch.tensor([[1, 0, 2, 0], [0, 1, 0, -1], [2, -1, 0, 1], [0, 1, 1, 2]], dtype=F64)
K = torch.tensor([[1, 0, 0, 1], [0, 2, 1, 0], [2, 1, -1, 0], [0, -1, 1, 2]], dtype=F64)
V = torch.tensor([[10, 0, 2], [0, 20, 4], [40, 10, -6], [30, 50, 8]], dtype=F64)
WIDE = torch.tensor([[10, 0, 2, 0], [0, 20, 4, 10]], dtype=F64)  # as wide as keys
HALF = torch.tensor([[True, False], [False, False]])
EMPTY = torch.tensor([[1, 0, 1, 0], [0, 0, 0, 0], [1, 1, 0, 1], [0, 1, 1, 1]]).bool()


def _draw(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape)), dtype=F64)


def case(trying: str, q: Tensor, k: Tensor, v: Tensor, **more: Any) -> Case:
    """An input of attention; `more` is what it may take, or a field of the case."""
    optional: dict[str, Any] = {
        name: more.pop(name) for name in ("allowed", "temperature") if name in more
    }
    return Case(trying, {"q": q, "k": k, "v": v, **optional}, **more)


HEADS = (_draw(2, 3, 2, 4), _draw(2, 3, 5, 4).flip(-1), _draw(2, 3, 5, 3) * 10)
OF_9 = (
    torch.tensor([[1, 0, 2, 0, 1, 0, 0, 1, 0]], dtype=F64),
    torch.tensor([[1, 0, 2, 0, 1, 0, 1, 0, 0], [0, 1, 1, 0, 0, 2, 0, 1, 0]], dtype=F64),
    V[:2],
)
ONE = torch.tensor([[1, 1, 0, 1, 0], [0, 1, 1, 1, 1]]).bool()
OTHER = torch.tensor([[0, 1, 1, 0, 1], [1, 0, 1, 1, 0]]).bool()
OF_BATCH = torch.stack([ONE, OTHER])[:, None]
CASES = (
    case("one query and two keys", Q[:1], K[:2], WIDE),
    case("two queries and three keys", Q[:2], K[:3], V[:3]),
    case("as many keys as queries", Q, K, V),
    case("keys of width 9", *OF_9),  # where no half and no logarithm is the root
    case("a batch with heads", *HEADS),
    case("large scores", Q[:1] * 1000, K[:2], V[:2]),
    case("large scores", Q * 1000, K, V),
    case("a temperature of 4", Q, K, V, temperature=4.0),  # each thing that may come also alone
    case("a temperature of 1000", Q, K, V, temperature=1000.0),
    case("a mask over two queries and three keys", Q[1:3], K[:3], V[:3], allowed=EMPTY[2:, :3]),
    case("a causal mask", Q, K, V, allowed=causal_mask(4)),
    case(
        "a mask for each sequence of a batch",
        *HEADS,
        allowed=OF_BATCH,
    ),
    case("very low scores under a mask", Q, K * 1e4, V, allowed=causal_mask(4)),
    case("a query with nothing to read", Q[:2], K[:2], V[:2], allowed=HALF, may_refuse=True),
    case("a query with nothing to read", Q, K, V, allowed=EMPTY, may_refuse=True),
    case("a gradient past that query", Q, K, V, allowed=EMPTY, gradient_of="q", may_refuse=True),
    case("a temperature of 4 under a mask", Q, K, V, allowed=causal_mask(4), temperature=4.0),
    case("a temperature of 1000 under a mask", Q, K, V, allowed=causal_mask(4), temperature=1e3),
)


def right(
    q: Tensor, k: Tensor, v: Tensor, allowed: Tensor | None = None, temperature: float = 1.0
) -> Any:
    """Attention as the course means it; a row with nothing to read gives zeros."""
    return attention(q, k, v, allowed=allowed, temperature=temperature, fully_masked="zero")


ATTENTION = Grader(
    task="03/attention",
    parts=((Part("output", ("query", "column")), Part("weights", ("query", "key"))),),
    cases=CASES,
    right=(right,),
    mistakes=tuple(map(known, in_group("attention"))),
    optional=("allowed", "temperature"),
)

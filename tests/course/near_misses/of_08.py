"""The near misses of notebook 08: what would suffer, and what would move, by another rule."""

import torch

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.course.tensors import places

WEIGHTS = torch.tensor([0.96, 1.00, 0.99])  # as the question states them
LINK, THING = torch.arange(3)[:, None], torch.arange(3)
Q, K, _ = places()
V = torch.full((4, 2), 5.0, dtype=torch.float64)
SWAPPED = K[[0, 2, 1, 3]]
BEFORE = attention(Q, K, V, allowed=causal_mask(4))
AFTER = (
    attention(Q, K, V),
    attention(Q, K, V, allowed=causal_mask(4), temperature=4.0),
    attention(Q, SWAPPED, V, allowed=causal_mask(4)),
    attention(Q, K, 2 * V, allowed=causal_mask(4)),
)


def moves(*looks):
    """Which of the four changes is seen by one of these looks at the result."""
    seen = [any(not torch.allclose(look(after), look(BEFORE)) for look in looks) for after in AFTER]
    return [[int(each) for each in seen]]


def weights(result):
    return result.weights


def output(result):
    return result.output


RIGHT = {
    "08/asked-removed": lambda: (LINK == THING).int(),
    "08/equal-values": lambda: moves(output),
}
NEAR_MISSES = {
    "08/asked-removed": {
        "everything": lambda: (LINK >= 0).int() * torch.ones_like(THING),
        "nothing": lambda: (LINK < 0).int() * torch.ones_like(THING),
        "the brightest link": lambda: (WEIGHTS.argmax() == LINK).int() * torch.ones_like(THING),
        "all later things as well": lambda: (LINK <= THING).int(),
        "all but the thing asked": lambda: (LINK != THING).int(),
    },
    "08/equal-values": {
        "whatever changes weights": lambda: moves(weights),
        "all four": lambda: moves(weights, output),
        "none": lambda: moves(lambda result: result.output / result.output.sum(-1, keepdim=True)),
    },
}

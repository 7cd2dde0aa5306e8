"""The near misses of notebook 05: its fixed tensors, with one rule done otherwise."""

import torch

from attn_lab.core.attention import attention
from attn_lab.course.tensors import places

Q, K, V = places()
LEGAL = torch.ones(4, 4, dtype=torch.bool).tril()
COUNTS = LEGAL.sum(dim=-1)


def row(index, temperature=1.0):
    """How one row of the masked weights comes out of a way to compute attention."""
    return lambda run=attention: run(Q, K, V, allowed=LEGAL, temperature=temperature).weights[index]


def falling(run=attention):
    """The weights that become smaller when the temperature goes from 0.25 to 4."""
    cold, hot = (run(Q, K, V, allowed=LEGAL, temperature=t).weights for t in (0.25, 4.0))
    return (hot < cold - 1e-9).int()


def rows(condition):
    return condition[:, None].int()


def changed():
    masked, free = (attention(Q, K, V, allowed=allowed).weights for allowed in (LEGAL, None))
    return rows((masked - free).abs().amax(dim=-1) > 1e-9)


RIGHT = {
    "05/first-row": row(0),
    "05/third-row": row(2),
    "05/mask-off": changed,
    "05/hotter": falling,
    "05/very-hot": row(2, 1000.0),
}
BANK = {id: right for id, right in RIGHT.items() if id != "05/mask-off"}
NEAR_MISSES = {
    "05/mask-off": {
        "row 1 only": lambda: rows(COUNTS == 1),
        "every row": lambda: rows(COUNTS > 0),
        "row 4 only": lambda: rows((~LEGAL).sum(dim=0) == 3),
    },
    "05/hotter": {"every legal weight": lambda: LEGAL.int()},
}

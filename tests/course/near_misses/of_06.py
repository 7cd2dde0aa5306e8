"""The near misses of notebook 06: two masks, with one of them taken otherwise."""

import torch

LEGAL = torch.ones(4, 4, dtype=torch.bool).tril()
RIGHT_PAD = torch.tensor([True, True, False, False])  # True: a real token
LEFT_PAD = ~RIGHT_PAD
FUTURE = LEGAL.logical_not()
PLACES = torch.tensor([[10.0, 0.0], [0.0, 20.0], [40.0, 10.0], [30.0, 50.0]])
SCORES = torch.tensor([0.0, -1.0, 1.0, -2.0]) / 2**0.5


def empty(combine):
    """Which rows have nothing to read, with the padding right and left."""
    columns = [~combine(real).any(dim=-1) for real in (RIGHT_PAD, LEFT_PAD)]
    return torch.stack(columns, dim=1).int()


def changed(allowed):
    """Which outputs change with tokens 3 and 4: they read one, or ask from there and read any."""
    new = ~RIGHT_PAD
    reads_new = (allowed & new).any(dim=-1)
    return (reads_new | new & allowed.any(dim=-1))[:, None].int()


def answers(*weights):
    """How many different outputs these weights give; nan counts as one."""
    outputs = [(w @ PLACES).round(decimals=3).tolist() for w in weights]
    return [len({str(output) for output in outputs})]


BARE = torch.full((4,), -torch.inf).softmax(dim=-1)
ZERO, EVEN, UNMASKED = torch.zeros(4), torch.full((4,), 0.25), (SCORES - 1e4).softmax(dim=-1)
REAL_READ_ALL = RIGHT_PAD[:, None] & torch.ones_like(LEGAL)

RIGHT = {
    "06/empty-rows": lambda: empty(lambda real: LEGAL & real),
    "06/padded-rows": lambda: changed(LEGAL & RIGHT_PAD),
    "06/empty-row-outputs": lambda: answers(BARE, ZERO, EVEN, UNMASKED),
    "06/which-way-true": lambda: FUTURE.int(),
}
NEAR_MISSES = {
    "06/empty-rows": {
        "every padded row": lambda: empty(lambda real: LEGAL & real & real[:, None]),
        "none at all": lambda: empty(lambda real: LEGAL),
        "masks inverted": lambda: empty(lambda real: LEGAL & ~real),
        "all of the left": lambda: empty(lambda real: LEGAL & real.cumprod(dim=0).bool()),
    },
    "06/padded-rows": {
        "no row": lambda: changed(LEGAL & RIGHT_PAD & RIGHT_PAD[:, None]),
        "every row": lambda: changed(torch.ones_like(LEGAL)),
        "the real rows": lambda: changed(REAL_READ_ALL),
    },
    "06/empty-row-outputs": {
        "one": lambda: answers(ZERO, ZERO, ZERO, ZERO),
        "two": lambda: answers(BARE, ZERO, ZERO, ZERO),
        "three": lambda: answers(BARE, ZERO, EVEN, EVEN),
    },
    "06/which-way-true": {
        "the lower triangle": lambda: LEGAL.int(),
        "every cell": lambda: torch.ones_like(LEGAL).int(),
        "row 4 keeps itself": lambda: (FUTURE | torch.eye(4).bool() & ~FUTURE.any(1)).int(),
        "with the diagonal": lambda: LEGAL.T.int(),
    },
}

"""The near misses of notebook 04: four positions, with one rule of the mask done otherwise."""

import torch

FLAT = torch.zeros(4, 4, dtype=torch.float64)
LEGAL = torch.ones(4, 4, dtype=torch.bool).tril()
NONE = -torch.inf
TOKENS = 4096


def softmax(scores, allowed=None, fill=NONE):
    return (scores if allowed is None else scores.masked_fill(~allowed, fill)).softmax(dim=-1)


def reached(reads):
    """Who is reached by a new token 1 and by a new token 4, when row i reads key j."""
    return torch.stack([reads[:, 0], reads[:, 3]], dim=1).int()


def row_two(fill, blanked=False):
    scores = torch.tensor([0.5**0.5, 0, 0, 0], dtype=torch.float64)
    row = softmax(scores, LEGAL[1], fill)
    return row * LEGAL[1] if blanked else row


STRICT, ITSELF, ALL = LEGAL.tril(-1), torch.eye(4, dtype=torch.bool), torch.ones_like(LEGAL)

RIGHT = {
    "04/legal": lambda: LEGAL.int(),
    "04/flat-row": lambda: softmax(FLAT, LEGAL)[2],
    "04/ripple": lambda: reached(LEGAL),
    "04/zero-not-inf": lambda: row_two(fill=0.0),
    "04/too-good": lambda: [1, 1 / 8],
}
NEAR_MISSES = {
    "04/legal": {
        "without the diagonal": lambda: STRICT.int(),
        "the upper triangle": lambda: LEGAL.T.int(),
        "the diagonal alone": lambda: ITSELF.int(),
        "what is forbidden": lambda: (~LEGAL).int(),
        "everything": lambda: ALL.int(),
    },
    "04/flat-row": {
        "zeroed after the softmax": lambda: (softmax(FLAT) * LEGAL)[2],
        "mask forgotten": lambda: softmax(FLAT)[2],
        "may not read itself": lambda: softmax(FLAT, STRICT)[2],
        "itself alone": lambda: softmax(FLAT, ITSELF)[2],
    },
    "04/ripple": {
        "columns exchanged": lambda: reached(LEGAL.T),
        "token 4 reaches nobody": lambda: reached(STRICT | ITSELF & (torch.arange(4) < 3)),
        "each its own": lambda: reached(ITSELF),
        "everything changes": lambda: reached(ALL),
    },
    "04/zero-not-inf": {
        "a score of 0 as blocked": lambda: row_two(fill=NONE),
        "zeroed after the softmax": lambda: row_two(fill=0.0, blanked=True),
        "even over all keys": lambda: softmax(FLAT)[1],
    },
    "04/too-good": {
        "the mask costs nothing": lambda: [1, 1],
        "nothing to notice": lambda: [1 / 8, 1 / 8],
        "never right with the mask": lambda: [1, 0],
    },
}

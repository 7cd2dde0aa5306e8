"""The near misses of notebook 05: its fixed tensors, with one rule done otherwise."""

import torch

from attn_lab.course.tensors import places

Q, K, V = places()
LEGAL = torch.ones(4, 4, dtype=torch.bool).tril()
DOTS = Q @ K.T
NONE = -torch.inf


def softmax(scores, allowed=LEGAL, fill=NONE):
    return (scores if allowed is None else scores.masked_fill(~allowed, fill)).softmax(dim=-1)


def weights(temperature=1.0, allowed=LEGAL):
    return softmax(DOTS / 2**0.5 / temperature, allowed)


def best(allowed=LEGAL):
    return torch.eye(4)[DOTS.masked_fill(~allowed, NONE).argmax(dim=-1)]


def rows(condition):
    return condition[:, None].int()


ALL = torch.ones_like(LEGAL)
COUNTS = LEGAL.sum(dim=-1)

RIGHT = {
    "05/first-row": lambda: weights()[0],
    "05/third-row": lambda: weights()[2],
    "05/mask-off": lambda: rows((weights() - weights(allowed=ALL)).abs().amax(dim=-1) > 1e-9),
    "05/hotter": lambda: (weights(4) < weights(0.25) - 1e-9).int(),
    "05/very-hot": lambda: weights(1000)[2],
}
NEAR_MISSES = {
    "05/first-row": {
        "mask forgotten": lambda: weights(allowed=ALL)[0],
        "zeroed after the softmax": lambda: (weights(allowed=ALL) * LEGAL)[0],
        "even over all keys": lambda: softmax(DOTS * 0, ALL)[0],
        "the favourite of all keys": lambda: best(ALL)[0],
        "mask inverted": lambda: weights(allowed=~LEGAL)[0],
    },
    "05/third-row": {
        "zeroed after the softmax": lambda: (weights(allowed=ALL) * LEGAL)[2],
        "mask forgotten": lambda: weights(allowed=ALL)[2],
        "no root": lambda: softmax(DOTS)[2],
        "queries and keys exchanged": lambda: softmax(K @ Q.T / 2**0.5)[2],
        "the best legal match alone": lambda: best()[2],
        "even over the legal keys": lambda: softmax(DOTS * 0)[2],
        "may not read itself": lambda: weights(allowed=LEGAL.tril(-1))[2],
        "masked score set to 0": lambda: softmax(DOTS / 2**0.5, fill=0.0)[2],
    },
    "05/mask-off": {
        "row 1 only": lambda: rows(COUNTS == 1),
        "every row": lambda: rows(COUNTS > 0),
        "row 4 only": lambda: rows((~LEGAL).sum(dim=0) == 3),
    },
    "05/hotter": {
        "row 1 cools down too": lambda: (best() * (COUNTS > 0)[:, None]).int(),
        "all but the favourite": lambda: (weights(0.25) < weights(4) - 1e-9).int(),
        "every legal weight": lambda: LEGAL.int(),
    },
    "05/very-hot": {
        "even over all keys": lambda: weights(1e6, ALL)[2],
        "the favourite alone": lambda: weights(1e-3)[2],
        "as at temperature 1": lambda: weights()[2],
        "nothing left": lambda: (DOTS / 2**0.5 / 1000 * LEGAL)[2],
    },
}

"""The near misses of notebook 01: one row in NumPy, with one step done otherwise."""

import numpy as np

DOTS = np.array([1.0, 0.0])
VALUES = np.array([[10.0, 0.0], [0.0, 20.0]])
D_K = 2


def weights(dots=DOTS, divisor=D_K**0.5):
    parts = np.exp(dots / divisor)
    return parts / parts.sum()


RIGHT = {
    "01/two-weights": weights,
    "01/weighted-sum": lambda: weights() @ VALUES,
}
NEAR_MISSES = {
    "01/two-weights": {
        "no root": lambda: weights(divisor=1),
        "divided by 2": lambda: weights(divisor=D_K),
        "the scores themselves": lambda: DOTS / D_K**0.5,
        "the best match alone": lambda: np.eye(2)[DOTS.argmax()],
        "the exponentials themselves": lambda: np.exp(DOTS / D_K**0.5),
        "the other way round": lambda: weights()[::-1],
    },
    "01/weighted-sum": {
        "value 1 alone": lambda: VALUES[DOTS.argmax()],
        "both values added": lambda: VALUES.sum(axis=0),
        "the plain mean": lambda: VALUES.mean(axis=0),
        "weights exchanged": lambda: weights()[::-1] @ VALUES,
        "the weights themselves": lambda: weights(),
        "the exponentials as weights": lambda: np.exp(DOTS / D_K**0.5) @ VALUES,
    },
}

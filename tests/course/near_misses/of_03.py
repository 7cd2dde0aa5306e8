"""The near misses of notebook 03: shifts, spreads and formats by the rule that gives them."""

import numpy as np
import torch

D_K = np.array([4, 50, 1000])
SCORES = np.array([[0.0, 1.0, -1.0, 2.0], [1.0, -2.0, 0.5, 0.0]])
ROWS, COLUMNS = np.array([[1.0], [2.0]]), np.arange(1.0, 5.0)
CHANGED = (SCORES + 100, SCORES + ROWS, SCORES + COLUMNS, SCORES * 2)


def softmax(scores, axis=-1):
    parts = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return parts / parts.sum(axis=axis, keepdims=True)


def matters(seen):
    """Which of a to d change what is seen of the scores."""
    return [[int(not np.allclose(seen(each), seen(SCORES))) for each in CHANGED]]


def formats(digits):
    """Which formats change the first three decimals, if they keep so many decimal digits."""
    return [[int(kept < digits) for kept in (16, 7, 3, 2)]]


def without_a_common_rhythm(scores):
    """What is left when constants are taken out along the rows and along the columns."""
    by_row = scores - scores.mean(axis=1, keepdims=True)
    return by_row - by_row.mean(axis=0)


def decimals_that_change():
    """Which formats print other weights for 0.707 and 0 once 100 has been added to both."""
    changed = []
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        s = torch.tensor([0.5**0.5, 0.0], dtype=torch.float64).to(dtype)
        printed = [
            [f"{x:.3f}" for x in each.softmax(dim=-1).double().tolist()] for each in (s, s + 100)
        ]
        changed.append(int(printed[0] != printed[1]))
    return [changed]


RIGHT = {
    "03/three-shifts": lambda: matters(softmax),
    "03/spread": lambda: D_K**0.5,
    "03/half": decimals_that_change,
}
NEAR_MISSES = {
    "03/three-shifts": {
        "a shared 100 counts": lambda: matters(lambda s: [*softmax(s), *(s / 50).round()]),
        "rows compete": lambda: matters(lambda s: softmax(s, axis=None)),
        "everything counts": lambda: matters(lambda s: s),
        "only the factor counts": lambda: matters(without_a_common_rhythm),
        "the factor does not count": lambda: matters(lambda s: s.argsort(axis=1)),
    },
    "03/spread": {
        "like one term": lambda: D_K**0.0,
        "the variance": lambda: D_K,
        "the spread of the mean": lambda: D_K**0.5 / D_K,
    },
    "03/half": {
        "nowhere": lambda: formats(0),
        "bfloat16 alone": lambda: formats(3),
        "everywhere but float64": lambda: formats(8),
        "everywhere": lambda: formats(17),
    },
}

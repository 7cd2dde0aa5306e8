"""The near misses of notebook 07: widths and shapes by the rule that gives them."""

from pathlib import Path
from runpy import run_path

import torch

divisor = run_path(str(Path(__file__).with_name("divisors.py")))["divisor"]
D_MODEL, N_HEADS = 512, 8
WIDTH = D_MODEL // N_HEADS
X = torch.zeros(2, 10, D_MODEL)
UNMOVED = X.unflatten(-1, (N_HEADS, WIDTH))  # [2, 10, 8, 64]
Q = UNMOVED.transpose(1, 2)  # [2, 8, 10, 64]

VALUES = torch.tensor([[8.0, 0.0], [0.0, 8.0]])
OUTPUTS = torch.tensor([[7.0, 1.0], [8.0, 8.0], [4.0, 4.0], [2.0, 2.0]])
WEIGHTS = OUTPUTS / 8  # since each value has one number that is not 0


def returned(rule):
    """Which of the four outputs a row can return whose weights follow this rule."""
    return [[int(rule(weights)) for weights in WEIGHTS]]


RIGHT = {
    "07/one-mixture": lambda: returned(lambda w: w.sum() == 1),
    "07/width": lambda: [WIDTH, WIDTH**0.5],
    "07/split-shape": lambda: list((Q @ Q.mT).shape),
}
BANK = {"07/width": lambda run: [WIDTH, divisor(run, D_MODEL, N_HEADS)]}
NEAR_MISSES = {
    "07/one-mixture": {
        "all four": lambda: returned(lambda w: bool((w >= 0).all())),
        "whatever is small enough": lambda: returned(lambda w: w.sum() <= 1),
        "the even mixture": lambda: [
            [int(torch.equal(out, VALUES.mean(0))) for out in OUTPUTS],
        ],
        "both whole": lambda: returned(lambda w: w.sum() >= 1),
    },
    "07/width": {
        "heads of full width": lambda: [D_MODEL, D_MODEL**0.5],
        "width and number exchanged": lambda: [N_HEADS, N_HEADS**0.5],
    },
    "07/split-shape": {
        "one map for all heads": lambda: list((X @ X.mT).shape),
        "features against features": lambda: list((Q.mT @ Q).shape),
        "heads against heads": lambda: list((UNMOVED @ UNMOVED.mT).shape),
        "queries of all heads": lambda: list(Q.shape),
    },
}

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

RIGHT = {
    "07/width": lambda: [WIDTH, WIDTH**0.5],
    "07/split-shape": lambda: list((Q @ Q.mT).shape),
}
BANK = {"07/width": lambda run: [WIDTH, divisor(run, D_MODEL, N_HEADS)]}
NEAR_MISSES = {
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

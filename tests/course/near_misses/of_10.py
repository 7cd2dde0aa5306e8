"""The near misses of notebook 10: shapes, divisors and factors by the rule that gives them."""

from pathlib import Path
from runpy import run_path

import torch

divisor = run_path(str(Path(__file__).with_name("divisors.py")))["divisor"]
Q, K, V = torch.zeros(3, 4), torch.zeros(5, 4), torch.zeros(5, 6)
A = Q @ K.T
D_MODEL, N_HEADS = 1024, 4
WIDTH = D_MODEL // N_HEADS
D_K, TAU = 16, 3
GROWTH = 3000 / 2000


def shapes(weights, output):
    return [list(weights.shape), list(output.shape)]


RIGHT = {
    "10/cross-shape": lambda: shapes(A, A @ V),
    "10/divisor": lambda: [WIDTH**0.5],
    "10/same-temperature": lambda: [D_K**0.5 * TAU],
    "10/longer-map": lambda: [GROWTH**2],
}
BANK = {"10/divisor": lambda run: [divisor(run, D_MODEL, N_HEADS)]}
NEAR_MISSES = {
    "10/cross-shape": {
        "as wide as a key": lambda: shapes(A, A @ K),
        "rows and columns exchanged": lambda: shapes(A.T, (K @ K.T) @ V),
        "square": lambda: shapes(K @ K.T, (K @ K.T) @ V),
    },
    "10/divisor": {"root of the number of heads": lambda: [N_HEADS**0.5]},
    "10/same-temperature": {
        "temperature multiplied": lambda: [D_K**0.5 / TAU],
        "no root": lambda: [D_K * TAU],
        "root of both": lambda: [(D_K * TAU) ** 0.5],
        "added": lambda: [D_K**0.5 + TAU],
    },
    "10/longer-map": {
        "linear": lambda: [GROWTH],
        "doubled for the square": lambda: [GROWTH * 2],
        "half is masked": lambda: [GROWTH**2 / 2],
    },
}

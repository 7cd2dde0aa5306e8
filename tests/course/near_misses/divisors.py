"""Reads off a way to compute attention by what it divides a dot product of one head."""

from inspect import signature

import torch


def divisor(run, d_model, n_heads):
    """The number that explains the weights: the gap of two dot products over that of two scores."""
    width = d_model // n_heads
    x = torch.zeros(2, d_model, dtype=torch.float64)
    x[0, 0] = 3.0  # in head 1: the dot products of position 1 are 9 and 0
    if "n_heads" in signature(run).parameters:
        same = torch.eye(d_model, dtype=torch.float64)
        weights = run(x, same, same, same, same, n_heads).weights[0]
    else:
        weights = run(x[:, :width], x[:, :width], x[:, :width]).weights
    return float(9 / (weights[0, 0] / weights[0, 1]).log())

"""Softmax over keys that come tile by tile.

Each tile brings a maximum of its own, and what was kept so far shrinks by the factor that the
new maximum asks for. No weight is dropped.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from attn_lab.core.inputs import Inputs
from attn_lab.core.mixing import doubled, near_the_edge
from attn_lab.core.scores import multiply
from attn_lab.core.softmax import below, cut_unread


class TileStep(NamedTuple):
    """Where each query stands after one more tile of keys."""

    tile: int  # counted from 1
    keys: slice  # the tile's keys, as indices
    maximum: Tensor  # [..., T_q, 1] highest legal score so far, -inf while there was none
    factor: Tensor  # [..., T_q, 1] e^(old maximum - new one), for everything kept before
    total: Tensor  # [..., T_q, 1] sum of the exponentials, measured from the maximum
    output: Tensor  # [..., T_q, d_v] weighted mean of the values seen so far


def online_softmax(given: Inputs, size: int, tiles: Iterable[int]) -> Iterator[TileStep]:
    """One step per tile of `size` keys, for all queries."""
    q, k, v, allowed, scale, temperature, _, v_max = given
    halved = near_the_edge(v, v_max)
    start = torch.zeros_like(multiply(q, k[..., :1, :], scale).detach())  # [..., T_q, 1]
    maximum, total, output = start - math.inf, start, start
    for tile in tiles:
        keys = slice(tile * size, min((tile + 1) * size, k.shape[-2]))
        scores = multiply(q, k[..., keys, :], scale)  # [..., T_q, keys]
        values = v[..., keys, :] / 2 if halved else v[..., keys, :]
        seen = None if allowed is None else allowed[..., keys]
        if seen is not None:
            scores = scores.masked_fill(~seen, -math.inf)
        highest = scores.detach().amax(-1, keepdim=True)
        old, maximum = maximum, torch.maximum(maximum, highest)
        # While nothing could be read the maximum is -inf, and -inf - -inf is no number.
        anchor = maximum.masked_fill(maximum == -math.inf, 0.0)
        factor = below(old, anchor, temperature).exp()
        parts = below(scores, anchor, temperature).exp()
        kept = total * factor
        total = kept + parts.sum(-1, keepdim=True)
        whole = total.clamp(min=1.0)  # the highest score adds 1: a total below that is 0
        shares = cut_unread(parts / whole, seen)
        output = output * (kept / whole) + shares @ values  # [..., T_q, d_v]
        mean = doubled(output, v_max) if halved else output
        yield TileStep(tile + 1, keys, maximum, factor, total, mean)

"""Attention in tiles of keys, written out to be read: the online softmax in one loop."""

import torch
from torch import Tensor

from attn_lab.core.attention import scaled_scores


def in_tiles(q: Tensor, k: Tensor, v: Tensor, size: int) -> Tensor:
    """Returns the output of attention without a mask, never holding more than T_q x size scores.

    Shapes: q [T_q, d_k], k [T_k, d_k], v [T_k, d_v] -> [T_q, d_v]
    Source: Dao et al. 2022, section 3.1.

    >>> k = torch.tensor([[1.0], [3.0], [2.0], [5.0]])
    >>> in_tiles(torch.ones(1, 1), k, torch.eye(4), size=2)
    tensor([[0.0152, 0.1125, 0.0414, 0.8310]])
    """
    maximum = q.new_full((len(q), 1), -torch.inf)
    total = output = q.new_zeros(len(q), 1)
    for keys, values in zip(k.split(size), v.split(size), strict=True):
        scores = scaled_scores(q, keys)
        higher = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
        factor = (maximum - higher).exp()  # what was kept had too little subtracted
        parts = (scores - higher).exp()
        total = total * factor + parts.sum(dim=-1, keepdim=True)
        output = output * factor + parts @ values
        maximum = higher
    return output / total

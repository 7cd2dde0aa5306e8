"""One row of attention step by step: every number between the query and its output."""

import math
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch

from attn_lab.core.attention import attention
from attn_lab.show.arrays import as_allowed, as_features


@dataclass(frozen=True)
class RowSteps:
    """The steps of one query, one entry per key; output is their sum."""

    index: int
    dot: np.ndarray
    scale: float
    divisor: float | None  # what dots are divided by, None where a scale was passed
    scaled: np.ndarray
    temperature: float | None
    tempered: np.ndarray
    allowed: np.ndarray
    masked: bool  # a mask was passed, whatever it allows
    shifted: bool
    exps: np.ndarray
    weights: np.ndarray
    values: np.ndarray
    products: np.ndarray
    output: np.ndarray

    @property
    def empty(self) -> bool:
        return not self.allowed.any()


def work_out(
    q: Any,
    k: Any,
    v: Any,
    row: int,
    allowed: Any,
    temperature: float | None,
    scale: float | None,
    shift: bool,
) -> RowSteps:
    """Return the steps of row `row`, an index from 0; weights and output are `attention`'s.

    Shapes: q [T_q, d_k], k [T_k, d_k], v [T_k, d_v], allowed [T_q, T_k].
    """
    queries, keys, values = (as_features(x, name) for x, name in ((q, "q"), (k, "k"), (v, "v")))
    if isinstance(row, bool) or not hasattr(row, "__index__") or not 0 <= row < len(queries):
        raise ValueError(
            f"row needs an index from 0 to {len(queries) - 1}, one of q's {len(queries)} rows; "
            f"got {row!r}. Query 1 is row 0."
        )
    legal = as_allowed(allowed, (len(queries), len(keys)))[row]
    tau = 1.0 if temperature is None else temperature
    found = attention(
        *(torch.from_numpy(x) for x in (queries[row : row + 1], keys, values)),
        allowed=torch.from_numpy(legal[None, :]),
        scale=scale,
        temperature=tau,
        fully_masked="zero",
    )
    output, weights = cast("tuple[torch.Tensor, torch.Tensor]", found)  # weights are asked for
    dot = (queries[row] * keys).sum(axis=1)
    factor = queries.shape[1] ** -0.5 if scale is None else scale
    tempered = dot * factor / tau
    top = float(tempered[legal].max()) if legal.any() else 0.0
    shifted = shift or top > math.log(1e6)  # beyond a million the column would not fit
    exps = np.exp(np.where(legal, tempered - (top if shifted else 0.0), -np.inf))
    shares = weights[0].numpy()
    return RowSteps(
        row,
        dot,
        factor,
        math.sqrt(queries.shape[1]) if scale is None else None,
        dot * factor,
        temperature,
        tempered,
        legal,
        allowed is not None,
        shifted,
        exps,
        shares,
        values,
        shares[:, None] * values,
        output[0].numpy(),
    )

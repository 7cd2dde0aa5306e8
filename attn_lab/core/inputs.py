"""What attention is made from, once its arguments are known to fit."""

from typing import NamedTuple

from torch import Tensor


class Inputs(NamedTuple):
    """Checked arguments, and what a look at their values has found."""

    q: Tensor  # [..., T_q, d_k]
    k: Tensor  # [..., T_k, d_k]
    v: Tensor  # [..., T_k, d_v]
    allowed: Tensor | None  # [T_q, T_k], or the scores' rank with each axis equal or 1
    scale: float
    temperature: float
    empty: Tensor | None = None  # rows to give 0: as `allowed`, with one column
    v_max: float = 0.0  # no value is larger in size

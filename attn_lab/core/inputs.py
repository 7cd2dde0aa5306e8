"""What attention is made from, once its arguments are known to fit."""

from typing import NamedTuple

from torch import Tensor

from attn_lab.core.allowed import check_allowed
from attn_lab.core.checks import check_choice, check_number, shape_of
from attn_lab.core.scores import check_queries_and_keys, scale_for, scores_shape


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


def check_inputs(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    allowed: Tensor | None,
    scale: float | None,
    temperature: float,
    fully_masked: str,
) -> Inputs:
    """The arguments of attention, refused unless they fit each other."""
    check_queries_and_keys(q, k, v=v)
    if v.shape[-2] != k.shape[-2]:
        raise ValueError(
            f"v needs one row per key: [..., {k.shape[-2]}, d_v] to go with k {shape_of(k)}; "
            f"got {shape_of(v)}. Keys and values come from the same positions."
        )
    scale = scale_for(q, scale)
    temperature = check_number("temperature", temperature, positive=True)
    check_choice("fully_masked", fully_masked, ("raise", "zero"))
    if allowed is not None:
        allowed = check_allowed(allowed, scores_shape(q, k), q.device)
    return Inputs(q, k, v, allowed, scale, temperature)

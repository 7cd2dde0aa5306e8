"""What a call of attention must know about the values it is given, found in one reading."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lab.core.allowed import find_open_rows, refuse_empty_rows
from attn_lab.core.inputs import Inputs
from attn_lab.core.precision import HALVES
from attn_lab.core.values import extremes, largest, read, refuse_non_finite


class Survey(NamedTuple):
    """What was found; `more` holds the caller's own readings, made in the same go."""

    v_max: float  # no value is larger in size
    scores_fit: bool  # no score can overflow, whatever q meets whatever k
    empty: Tensor | None  # True for the rows to give 0, None where there are none
    more: list[Any]


def survey(
    given: Inputs, fully_masked: str, *more: Tensor, sizes: Sequence[Tensor] | None = None
) -> Survey:
    """Look at all values once; refuse what is not finite, and empty rows unless they may be.

    `sizes` that no value of q, k and v exceeds spare a look at every value.
    """
    tensors = given[:3]
    readings = [end for x in tensors for end in extremes(x)] if sizes is None else [*sizes]
    if given.allowed is not None:
        open_rows = find_open_rows(given.allowed)
        readings.append(open_rows.amin())
    found = read(*readings, *more)
    if sizes is None:
        q_max, k_max, v_max = (largest(*found[i : i + 2]) for i in (0, 2, 4))
    else:
        q_max, k_max, v_max = found[:3]
        if not math.isfinite(q_max + k_max + v_max):  # perhaps only because a bound overflows
            q_max, k_max, v_max = (largest(*read(*extremes(x))) for x in tensors)
    q, k, v = tensors
    refuse_non_finite(q=(q, q_max), k=(k, k_max), v=(v, v_max))
    empty = None
    if given.allowed is not None and not found[len(readings) - 1]:
        empty = open_rows == 0
        if fully_masked == "raise":
            refuse_empty_rows(empty)
    scaled = q_max * abs(given.scale)
    limit = torch.finfo(torch.float32 if q.dtype in HALVES else q.dtype).max / 2
    fit = max(scaled, scaled * k_max * q.shape[-1]) < limit
    return Survey(v_max, fit, empty, found[len(readings) :])

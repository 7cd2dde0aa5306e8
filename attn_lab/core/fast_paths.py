"""Which faster way may stand in for the written-out form, and its use.

All of them give what the written-out form gives, within 1e-5 in float32 and 1e-12 in float64.
They need large inputs to pay, and an answer that no gradient is asked of. What they leave out
follows from the mask alone; only rows whose scores may be large are held back from the fused
kernel, and under a causal mask that choice depends on nothing later than the row.
"""

import torch
from torch import Tensor
from torch.autograd import forward_ad

from attn_lab.core import fused
from attn_lab.core.inputs import Inputs
from attn_lab.core.reach import is_causal, look_at_blocks, merge, reaches
from attn_lab.core.row_blocks import ROWS, attend_in_blocks
from attn_lab.core.scores import refuse_overflow_in_blocks
from attn_lab.core.survey import survey
from attn_lab.core.zeroed import zeros

PAYS_FROM = 512 * 512  # pairs of query and key


def may_be_fast(q: Tensor, k: Tensor, v: Tensor, need_weights: bool) -> bool:
    """Whether a faster way may serve: many pairs, no gradient, the same leading axes."""
    if q.shape[-2] * k.shape[-2] < PAYS_FROM or (need_weights and q.device.type != "cpu"):
        return False
    if torch.is_grad_enabled() and (q.requires_grad or k.requires_grad or v.requires_grad):
        return False
    if forward_ad._current_level >= 0:
        return False
    return q.dim() <= 4 and q.shape[:-2] == k.shape[:-2] == v.shape[:-2]


def attend_fast(
    given: Inputs, fully_masked: str, need_weights: bool
) -> tuple[Tensor, Tensor | None]:
    """The output, and the weights where needed."""
    leading = given.q.shape[:-2]
    given = _with_four_axes(given)
    q, k, v, allowed = given[:4]
    T_q, T_k = q.shape[-2], k.shape[-2]
    readings = [] if allowed is None else [look_at_blocks(allowed, T_q, T_k, ROWS)]
    if not need_weights:
        factor = given.scale / given.temperature
        readings.append(fused.count_small_rows(q, k, allowed, factor))
    found = survey(q, k, v, given.scale, allowed, fully_masked, *readings)
    if not found.scores_fit:
        refuse_overflow_in_blocks(q, k, given.scale)

    given = given._replace(empty=found.empty, v_max=found.v_max)
    look = None if allowed is None else found.more[0]
    blocks = reaches(look, T_q, T_k, ROWS)
    output = q.new_zeros((*q.shape[:-1], v.shape[-1]))
    weights = None
    if need_weights:
        weights = zeros([*q.shape[:-1], T_k], q.dtype, q.device)
        attend_in_blocks(given, blocks, output, weights)
    elif not fused.may_serve(q):
        attend_in_blocks(given, blocks, output, None)
    else:
        small_if_causal, small = found.more[-1]
        if look is not None and is_causal(look, blocks):
            small = small_if_causal
            fused.attend_causal(given, output)
        elif small:
            fused.attend(given, merge(blocks), output)
        if small < T_q:
            attend_in_blocks(given, blocks, output, None, first_row=int(small))
    output = output.view(*leading, *output.shape[-2:])
    return output, None if weights is None else weights.view(*leading, T_q, T_k)


def _with_four_axes(given: Inputs) -> Inputs:
    missing = (None,) * (4 - given.q.dim())
    allowed = given.allowed
    if allowed is not None and allowed.dim() > 2:
        allowed = allowed[missing]
    return given._replace(
        q=given.q[missing], k=given.k[missing], v=given.v[missing], allowed=allowed
    )

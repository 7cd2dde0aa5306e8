"""When a faster way may stand in for the written-out form, and which one then does.

All of them give what the written-out form gives, within 1e-5 in float32 and 1e-12 in float64.
They need large inputs to pay, and an answer that no gradient is asked of. What they leave out
follows from the mask alone; only rows whose scores may be large are held back from the fused
kernel, and under a causal mask that choice depends on nothing later than the row.
"""

import contextlib
import math
import mmap
import sys

import torch
from torch import Tensor
from torch.autograd import forward_ad

from attn_lab.core.checks.fit import Inputs, scores_shape
from attn_lab.core.checks.values import read, survey
from attn_lab.core.fast import fused
from attn_lab.core.fast.row_blocks import (
    Reach,
    attend_in_blocks,
    block_shape,
    is_causal,
    look_at_blocks,
    merge,
    reaches,
)

PAYS_FROM = 512 * 512  # pairs of query and key
LARGE = 1 << 23  # bytes from which new memory costs more than the arithmetic that fills it
HUGE_PAGES_UP_TO = 1 << 26  # bytes; for more, a system may first have to make room, at length


def may_stand_in(q: Tensor, k: Tensor, v: Tensor, need_weights: bool) -> bool:
    """Whether a faster way may serve: many pairs, no gradient, axes that the scores have too."""
    if q.shape[-2] * k.shape[-2] < PAYS_FROM or (need_weights and q.device.type != "cpu"):
        return False
    if torch.is_grad_enabled() and (q.requires_grad or k.requires_grad or v.requires_grad):
        return False
    if any(forward_ad.unpack_dual(x).tangent is not None for x in (q, k, v)):
        return False
    leading = scores_shape(q, k)[:-2]
    return q.dim() <= 4 and all(n in (1, w) for n, w in zip(v.shape[:-2], leading, strict=True))


def attend_fast(
    given: Inputs, fully_masked: str, need_weights: bool
) -> tuple[Tensor, Tensor | None]:
    """The output, and the weights where needed."""
    named = given  # refusals name places as they were given
    leading = torch.Size(scores_shape(given.q, given.k)[:-2])
    given = _with_four_axes(given, leading)
    q, k, allowed = given.q, given.k, given.allowed
    T_q, T_k = q.shape[-2], k.shape[-2]
    _, size = block_shape(given)
    readings = [] if allowed is None else [look_at_blocks(allowed, T_q, T_k, size)]
    bounds: tuple[Tensor, ...] = ()
    if not need_weights:
        lengths = fused.lengths_of(given)
        bounds = tuple(x.amax() for x in lengths)
        readings.append(fused.count_small_rows(lengths, given.scale / given.temperature))
    found = survey(named, fully_masked, *readings, bounds=bounds)
    empty = _mask_with_four_axes(found.empty, leading)
    given = given._replace(empty=empty, v_max=found.v_max)
    look = None if allowed is None else found.more[0]
    blocks = reaches(look, T_q, T_k, size)
    weights = None
    if need_weights:
        output = _start(given)
        weights = _zeros([*q.shape[:-1], T_k], q.dtype, q.device)
        attend_in_blocks(given, blocks, output, weights)
    else:
        causal = look is not None and is_causal(look, blocks)
        output = _output_alone(given, blocks, lengths, causal, found.more[-1])
    output = output.reshape(*leading, *output.shape[-2:])
    return output, None if weights is None else weights.view(*leading, T_q, T_k)


def _output_alone(
    given: Inputs, blocks: list[Reach], lengths: fused.Lengths, causal: bool, small_rows: list[int]
) -> Tensor:
    """By the fused kernel as far as scores are small, the other rows by blocks."""
    T_q, allowed, keys_reached = given.q.shape[-2], given.allowed, None
    first_large = small_rows[0 if causal else 1]
    if not fused.may_serve(given.q):
        first_large = 0
    elif first_large < T_q and not causal and allowed is not None:
        factor = given.scale / given.temperature  # a second look, at what this mask lets be read
        first_large, keys_reached = read(fused.count_small_rows_under(allowed, lengths, factor))[0]
    if first_large == 0:
        output = _start(given)
    elif causal:
        output = fused.attend_causal(given)
    else:
        output = fused.attend(given, merge(blocks, fused.ROWS), keys_reached)
    if first_large < T_q:
        attend_in_blocks(given, blocks, output, None, first_row=first_large)
    return output


def _start(given: Inputs) -> Tensor:
    """The output to fill; only rows that read nothing are not filled, and stay 0."""
    make = given.q.new_empty if given.empty is None else given.q.new_zeros
    return make((*given.q.shape[:-1], given.v.shape[-1]))


def _with_four_axes(given: Inputs, leading: torch.Size) -> Inputs:
    """Every head with keys and values of its own, though they may be the same memory."""
    apart = (x.expand(*leading, *x.shape[-2:]) for x in given[:3])
    q, k, v = (x[(None,) * (2 - len(leading))] for x in apart)
    allowed = _mask_with_four_axes(given.allowed, leading)
    return given._replace(q=q, k=k, v=v, allowed=allowed)


def _mask_with_four_axes(mask: Tensor | None, leading: torch.Size) -> Tensor | None:
    if mask is None or mask.dim() == 2:
        return mask
    return mask[(None,) * (2 - len(leading))]


def _zeros(shape: list[int], dtype: torch.dtype, device: torch.device) -> Tensor:
    """`torch.zeros`, served where it pays by the system's own zeroed pages.

    What is never written, like the weights of keys that a mask closes, is never even touched;
    and fewer, larger pages are asked for where Linux has them at hand.
    """
    size = math.prod(shape) * dtype.itemsize
    if device.type != "cpu" or size < LARGE or sys.platform != "linux":
        return torch.zeros(shape, dtype=dtype, device=device)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size <= HUGE_PAGES_UP_TO:
        with contextlib.suppress(OSError):  # a system without huge pages gives ordinary ones
            pages.madvise(mmap.MADV_HUGEPAGE)
    return torch.frombuffer(pages, dtype=dtype).view(shape)

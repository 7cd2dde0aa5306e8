"""Softmax over the keys that may be read."""

import math

import torch
from torch import Tensor

from attn_lab.core.allowed import check_allowed, find_open_rows, refuse_empty_rows
from attn_lab.core.checks import (
    check_choice,
    check_floats,
    check_number,
    check_tensor,
    check_values,
)
from attn_lab.core.precision import in_float32_at_least
from attn_lab.core.values import extremes, largest, read, refuse_non_finite


def masked_softmax(
    scores: Tensor,
    allowed: Tensor | None = None,
    *,
    temperature: float = 1.0,
    fully_masked: str = "raise",
) -> Tensor:
    """The weights of each row: positive over the keys that may be read, 0 elsewhere, sum 1.

    Half scores give float32 weights. Rows that may read nothing are found from `allowed`, never
    from the scores; "raise" names them, "zero" gives them weights 0 and gradient 0.

    Shapes: scores [..., T_q, T_k], allowed [T_q, T_k] or the scores' rank -> [..., T_q, T_k].
    Raises: TypeError for a wrong dtype; ValueError for scores that are not finite, a temperature
    that is not finite and above 0, an `allowed` that does not fit, and fully masked rows.
    Source: Vaswani et al. 2017, sections 3.2.1 and 3.2.3.

    >>> scores = torch.tensor([[0.7071, 0.0, 5.0]])
    >>> masked_softmax(scores, torch.tensor([[True, True, False]]))
    tensor([[0.6698, 0.3302, 0.0000]])
    """
    check_tensor("scores", scores, "[..., T_q, T_k]", n_dims=1)
    check_floats("scores", scores)
    check_values("scores", scores)
    temperature = check_number("temperature", temperature, positive=True)
    check_choice("fully_masked", fully_masked, ("raise", "zero"))
    readings = [*extremes(scores)]
    if allowed is not None:
        allowed = check_allowed(allowed, scores.shape, scores.device)
        open_rows = find_open_rows(allowed)
        readings.append(open_rows.amin())
    low, high, *all_open = read(*readings)
    refuse_non_finite(scores=(scores, largest(low, high)))
    empty = None
    if all_open and not all_open[0]:
        empty = open_rows == 0
        if fully_masked == "raise":
            refuse_empty_rows(empty)
    return weigh(in_float32_at_least(scores), allowed, empty, temperature)


def weigh(
    scores: Tensor, allowed: Tensor | None, empty: Tensor | None, temperature: float
) -> Tensor:
    """The weights themselves. `empty` marks the rows to give 0, None where there are none."""
    if allowed is None:
        return _softmax(scores, temperature)
    if empty is None:
        return cut_unread(_softmax(scores.masked_fill(~allowed, -math.inf), temperature), allowed)
    # An empty row goes through softmax as if open, then becomes 0: a row of -inf would be
    # not-a-number, and stay so in the gradients however its weights are patched afterwards.
    weights = _softmax(scores.masked_fill(~(allowed | empty), -math.inf), temperature)
    return cut_unread(weights.masked_fill(empty, 0.0), allowed)


def cut_unread(weights: Tensor, allowed: Tensor | None) -> Tensor:
    """The same weights, whose gradient ends where nothing is read.

    A weight behind the mask is 0, but what is asked of it on the way back may be infinite: by the
    logarithm in an entropy, or by a large value. The two multiplied would be not-a-number.
    """
    if allowed is None or not weights.requires_grad:
        return weights
    return weights.masked_fill(~allowed, 0.0)


def soften_(scores: Tensor, temperature: float) -> None:
    """Softmax in place, for scores that are nobody else's."""
    if temperature != 1.0:
        scores.copy_(below(scores, scores.amax(-1, keepdim=True), temperature))
    torch.softmax(scores, -1, out=scores)


def _softmax(scores: Tensor, temperature: float) -> Tensor:
    if temperature == 1.0:
        return scores.softmax(-1)  # torch subtracts the maximum itself
    # The maximum first, the temperature second: the other way round overflows. Its gradient
    # is cut because a shift common to the row changes no weight.
    highest = scores.detach().amax(-1, keepdim=True)
    return below(scores, highest, temperature).softmax(-1)


def below(scores: Tensor, highest: Tensor, temperature: float) -> Tensor:
    """Each score's distance from the highest, over any temperature that a float can hold."""
    if temperature == 1.0:
        return scores - highest
    if 1e-30 < temperature < 1e30:
        return (scores - highest) / temperature
    wide, top = scores.double(), highest.double()
    if temperature > 1:  # halves, because the full difference of two float64 can overflow
        wide, top, temperature = wide / 2, top / 2, temperature / 2
    # A tensor, because torch may multiply by a number's reciprocal, which overflows here.
    divisor = torch.tensor(temperature, dtype=torch.float64, device=scores.device)
    return ((wide - top) / divisor).to(scores.dtype)

"""Scaled dot-product attention, written out: scores, weights, output.

This is the page to read. What its arithmetic says is the truth that the faster ways in `fast` and
the loop in `tiles` are held against. A *score* is what softmax takes, a *weight* what it gives.
"""

import math
from typing import NamedTuple

from torch import Tensor

from attn_lab.core.checks.arguments import (
    check_choice,
    check_floats,
    check_number,
    check_tensor,
    check_values,
)
from attn_lab.core.checks.arithmetic import (
    HALVES,
    below,
    in_float32_at_least,
    mix,
    times,
    without_autocast,
)
from attn_lab.core.checks.fit import (
    Inputs,
    check_allowed,
    check_inputs,
    check_queries_and_keys,
    scale_for,
)
from attn_lab.core.checks.values import (
    NOTHING,
    Survey,
    extremes,
    find_open_rows,
    is_sound,
    read,
    refuse_non_finite,
    refuse_overflow,
    rows_to_zero,
    sizes_of,
    survey,
)
from attn_lab.core.fast.stand_in import attend_fast, may_stand_in


class AttentionResult(NamedTuple):
    """What attention gives: the output, and the weights it was mixed with."""

    output: Tensor
    weights: Tensor | None


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    *,
    allowed: Tensor | None = None,
    scale: float | None = None,
    temperature: float = 1.0,
    fully_masked: str = "raise",
    need_weights: bool = True,
) -> AttentionResult:
    """The values mixed by how well each query matches each key, and the weights of the mix.

    Shapes: q [..., T_q, d_k], k [..., T_k, d_k], v [..., T_k, d_v], allowed [T_q, T_k] or the
    scores' rank -> output [..., T_q, d_v], weights [..., T_q, T_k] (None unless needed).
    Raises: TypeError for wrong dtypes; ValueError for shapes or devices that do not fit, numbers
    that are not finite (behind a mask too), scores that overflow, and fully masked rows unless
    `fully_masked="zero"`, which gives them weights 0, output 0 and gradient 0.
    Source: Vaswani et al. 2017, section 3.2.1.

    >>> import torch
    >>> q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> v = torch.tensor([[10.0, 0.0], [0.0, 20.0]])
    >>> attention(q, k, v).weights
    tensor([[0.6698, 0.3302]])
    >>> attention(q, k, v).output
    tensor([[6.6976, 6.6048]])

    Without checks, and for a mask that leaves every query a key, it is five lines:

    >>> q, k, v = torch.randn(3, 4, 2, generator=torch.Generator().manual_seed(0))
    >>> scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    >>> future = torch.ones(4, 4, dtype=torch.bool).triu(1)
    >>> scores = scores.masked_fill(future, -torch.inf)
    >>> weights = scores.softmax(dim=-1)
    >>> output = weights @ v
    >>> ours = attention(q, k, v, allowed=~future)
    >>> torch.allclose(ours.output, output), torch.allclose(ours.weights, weights)
    (True, True)
    """
    given = check_inputs(q, k, v, allowed, scale, temperature, fully_masked)
    attend = attend_fast if may_stand_in(q, k, v, need_weights) else written_out
    with without_autocast(q):
        return AttentionResult(*attend(given, fully_masked, need_weights))


def written_out(
    given: Inputs, fully_masked: str, need_weights: bool
) -> tuple[Tensor, Tensor | None]:
    """Attention as it is read, and a look at all values, which refuses what is not finite.

    Nearly every call has nothing to refuse: one quick look afterwards shows it.
    """
    found = survey(given, fully_masked) if fully_masked == "zero" else NOTHING
    output, weights = as_read(given, found)
    if found is NOTHING and not is_sound(given, weights):
        output, weights = as_read(given, survey(given, fully_masked))
    if given.q.dtype in HALVES:
        output, weights = output.to(given.q.dtype), weights.to(given.q.dtype)
    return output, weights if need_weights else None


def as_read(given: Inputs, found: Survey) -> tuple[Tensor, Tensor]:
    """Scores, weights, output."""
    q, k, v, allowed, scale, temperature = given[:6]
    scores = multiply(q, k, scale)  # [..., T_q, T_k]
    weights = weigh(scores, allowed, found.empty, temperature)  # [..., T_q, T_k]
    return mix(weights, in_float32_at_least(v), found.v_max), weights  # [..., T_q, d_v]


def scaled_scores(q: Tensor, k: Tensor, *, scale: float | None = None) -> Tensor:
    """The dot product of every query with every key, times `scale` (1/√d_k unless given).

    Half inputs give float32 scores, so that the pieces composed give the numbers of `attention`.

    Shapes: q [..., T_q, d_k], k [..., T_k, d_k] -> [..., T_q, T_k].
    Raises: TypeError for a wrong dtype; ValueError for shapes that do not fit, for numbers that
    are not finite, and where the scores overflow.
    Source: Vaswani et al. 2017, section 3.2.1 and footnote 4.

    >>> import torch
    >>> q, k = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> scaled_scores(q, k)
    tensor([[0.7071, 0.0000]])
    """
    check_queries_and_keys(q, k)
    with without_autocast(q):
        scores = multiply(q, k, scale_for(q, scale))
    q_max, k_max, scores_max = sizes_of(q, k, scores)
    refuse_non_finite(q=(q, q_max), k=(k, k_max))
    refuse_overflow(scores, scores_max, "the scaled scores", "q and k")
    return scores


def multiply(q: Tensor, k: Tensor, scale: float) -> Tensor:
    """The scores themselves, in float32 at least."""
    # q is scaled first: the unscaled products may leave the range that the scores fit in.
    scaled = times(in_float32_at_least(q), scale)
    return scaled @ in_float32_at_least(k).mT  # [..., T_q, T_k]


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

    >>> import torch
    >>> scores = torch.tensor([[0.7071, 0.0, 5.0]])
    >>> masked_softmax(scores, torch.tensor([[True, True, False]]))
    tensor([[0.6698, 0.3302, 0.0000]])
    """
    check_tensor("scores", scores, "[..., T_q, T_k]", n_dims=1)
    check_floats("scores", scores)
    check_values("scores", scores)
    temperature = check_number("temperature", temperature, positive=True)
    check_choice("fully_masked", fully_masked, ("raise", "zero"))
    readings, empty = [*extremes(scores)], None
    if allowed is not None:
        allowed = check_allowed(allowed, scores.shape, scores.device)
        open_rows = find_open_rows(allowed)
        readings.append(open_rows.amin())
    low, high, *all_open = read(*readings)
    refuse_non_finite(scores=(scores, max(-low, high)))
    if 0 in all_open:
        empty = rows_to_zero(open_rows, fully_masked)
    scores = in_float32_at_least(scores).clone()  # weigh writes into it
    return weigh(scores, allowed, empty, temperature)


def weigh(
    scores: Tensor, allowed: Tensor | None, empty: Tensor | None, temperature: float
) -> Tensor:
    """The weights themselves, for scores that are nobody else's.

    `empty` marks the rows to give 0, None where there are none.
    """
    if allowed is None:
        return _softmax(scores, temperature)
    if empty is None:
        return cut_unread(_softmax(scores.masked_fill_(~allowed, -math.inf), temperature), allowed)
    # An empty row goes through softmax as if open, then becomes 0: a row of -inf would be
    # not-a-number, and stay so in the gradients however its weights are patched afterwards.
    weights = _softmax(scores.masked_fill_(~(allowed | empty), -math.inf), temperature)
    return cut_unread(weights.masked_fill(empty, 0.0), allowed)


def _softmax(scores: Tensor, temperature: float) -> Tensor:
    if temperature == 1.0:
        return scores.softmax(-1)  # torch subtracts the maximum itself
    # The maximum first, the temperature second: the other way round overflows. Its gradient
    # is cut because a shift common to the row changes no weight.
    highest = scores.detach().amax(-1, keepdim=True)
    return below(scores, highest, temperature).softmax(-1)


def cut_unread(weights: Tensor, allowed: Tensor | None) -> Tensor:
    """The same weights, whose gradient ends where nothing is read.

    A weight behind the mask is 0, but what is asked of it on the way back may be infinite: by the
    logarithm in an entropy, or by a large value. The two multiplied would be not-a-number.
    """
    if allowed is None or not weights.requires_grad:
        return weights
    return weights.masked_fill(~allowed, 0.0)

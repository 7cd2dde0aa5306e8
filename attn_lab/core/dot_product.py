"""Scaled dot-product attention: where to read, and what is retrieved."""

from typing import NamedTuple

from torch import Tensor

from attn_lab.core.fast_paths import attend_fast, may_be_fast
from attn_lab.core.inputs import Inputs, check_inputs
from attn_lab.core.mixing import mix
from attn_lab.core.precision import as_given, in_float32_at_least, without_autocast
from attn_lab.core.scores import multiply
from attn_lab.core.softmax import weigh
from attn_lab.core.survey import survey
from attn_lab.core.values import extremes, largest, read, refuse_overflow


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
    >>> output, weights = attention(q, k, torch.tensor([[10.0, 0.0], [0.0, 20.0]]))
    >>> weights
    tensor([[0.6698, 0.3302]])
    >>> output
    tensor([[6.6976, 6.6048]])
    """
    given = check_inputs(q, k, v, allowed, scale, temperature, fully_masked)
    attend = attend_fast if may_be_fast(q, k, v, need_weights) else attend_written_out
    with without_autocast(q):
        output, weights = attend(given, fully_masked, need_weights)
    return AttentionResult(output, weights)


def attend_written_out(
    given: Inputs, fully_masked: str, need_weights: bool
) -> tuple[Tensor, Tensor | None]:
    """Attention as it is read: scores, weights, output. The faster ways must give the same."""
    q, k, v, allowed, scale, temperature = given[:6]
    found = survey(given, fully_masked)
    scores = multiply(q, k, scale)  # [..., T_q, T_k]
    if not found.scores_fit:
        size = largest(*read(*extremes(scores)))
        refuse_overflow(scores, size, "the scaled scores", "q and k")
    weights = weigh(scores, allowed, found.empty, temperature)  # [..., T_q, T_k]
    output = mix(weights, in_float32_at_least(v), found.v_max)  # [..., T_q, d_v]
    return as_given(output, q.dtype), as_given(weights, q.dtype) if need_weights else None

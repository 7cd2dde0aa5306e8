"""Several heads, each with projections of its own, joined by one more projection."""

import math
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.nn.utils import skip_init

from attn_lab.core.attention import AttentionResult, attention
from attn_lab.core.checks.arguments import (
    check_count,
    check_floats,
    check_leading,
    check_same_kind,
    check_tensor,
    shape_of,
)
from attn_lab.core.checks.arithmetic import as_given, in_float32_at_least, without_autocast
from attn_lab.core.checks.values import refuse_non_finite, refuse_overflow, sizes_of
from attn_lab.core.heads import merge_heads, split_heads


class MultiHeadAttention(nn.Module):
    """Attention in `n_heads` narrower spaces, with the weights of each head.

    Projections are x Wᵀ + b, as in `nn.Linear`; scores are scaled by the head's width. There is
    no dropout, so that training and evaluation give the same.

    Raises: ValueError when n_heads does not divide d_model.
    Source: Vaswani et al. 2017, section 3.2.2.

    >>> import torch
    >>> heads = MultiHeadAttention(d_model=8, n_heads=2)
    >>> output, weights = heads(torch.ones(1, 3, 8))
    >>> output.shape, weights.shape
    (torch.Size([1, 3, 8]), torch.Size([1, 2, 3, 3]))
    """

    def __init__(self, d_model: int, n_heads: int, *, bias: bool = True) -> None:
        super().__init__()
        self.d_model = check_count("d_model", d_model)
        self.n_heads = check_count("n_heads", n_heads)
        if self.d_model % self.n_heads:
            raise ValueError(
                f"n_heads must divide d_model {d_model}; got {n_heads}. "
                "Every head gets d_model / n_heads columns."
            )
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)
        for name, parameter in self.named_parameters():
            if name.endswith("weight"):
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)

    @classmethod
    def from_torch(cls, module: nn.MultiheadAttention) -> Self:
        """A copy of torch's module that gives its numbers, those of evaluation.

        Sequences come first here, whatever `batch_first` says there.

        Raises: TypeError for another kind of module; ValueError for what has no counterpart
        here: added bias rows, added zeros, keys and values of unlike width.

        >>> theirs = nn.MultiheadAttention(8, 2, batch_first=True)
        >>> ours = MultiHeadAttention.from_torch(theirs)
        >>> import torch
        >>> x = torch.ones(1, 3, 8)
        >>> torch.allclose(ours(x)[0], theirs(x, x, x)[0], atol=1e-6)
        True
        """
        projections = _projections_of(module)
        with torch.device("meta"):  # its own first weights are never made, nor random numbers drawn
            made = cls(module.embed_dim, module.num_heads, bias=module.out_proj.bias is not None)
        for name, projection in projections.items():
            setattr(made, name, projection)
        return made.train(module.training)

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None = None,
        *,
        allowed: Tensor | None = None,
        fully_masked: str = "raise",
        need_weights: bool = True,
    ) -> AttentionResult:
        """The output, and each head's weights; keys and values come from `memory` where given.

        Shapes: x [B, T_q, d_model], memory [B, T_k, d_model], allowed [T_q, T_k],
        [B, T_q, T_k] or [B, n_heads, T_q, T_k] (each axis equal or 1)
        -> output [B, T_q, d_model], weights [B, n_heads, T_q, T_k].
        Raises: as `attention`, naming x and memory.
        """
        memory = x if memory is None else memory
        self._check(x, memory)
        if isinstance(allowed, Tensor) and allowed.dim() == x.dim() > 2:
            if len(allowed) in (1, len(x), len(memory)):  # else it is refused as it came
                allowed = allowed.unsqueeze(-3)  # the same for every head
        with without_autocast(x):
            q = self._project(x, self.w_q)
            k, v = self._project(memory, self.w_k), self._project(memory, self.w_v)
            try:
                mixed, weights = attention(
                    q, k, v, allowed=allowed, fully_masked=fully_masked, need_weights=need_weights
                )
            except ValueError:
                self._refuse_non_finite(x, memory)
                _refuse_overflow("x" if memory is x else "memory", q=q, k=k, v=v)
                raise
            output = as_given(_apply(self.w_o, merge_heads(mixed)), x.dtype)
        size = sizes_of(output)[0]
        if not math.isfinite(size):
            self._refuse_non_finite(x, memory)
        refuse_overflow(output, size, "the outputs", "x and the projections")
        return AttentionResult(output, None if weights is None else as_given(weights, x.dtype))

    def _project(self, x: Tensor, w: nn.Linear) -> Tensor:
        return split_heads(_apply(w, x), self.n_heads)  # [B, n_heads, T, d_head]

    def _refuse_non_finite(self, x: Tensor, memory: Tensor) -> None:
        """Name what came in broken, rather than the q, k or v that was made of it."""
        for name, each in {"x": x, "memory": memory, **dict(self.named_parameters())}.items():
            refuse_non_finite(**{name: (each, sizes_of(each)[0])})

    def _check(self, x: Tensor, memory: Tensor) -> None:
        for name, given, w in (("x", x, self.w_q), ("memory", memory, self.w_k)):
            check_tensor(name, given, "[B, T, d_model]")
            check_floats(name, given)
            if given.shape[-1] != w.in_features:
                raise ValueError(
                    f"{name} needs the width that the module was made for: [B, T, "
                    f"{w.in_features}]; got {shape_of(given)}. Check d_model."
                )
        check_same_kind({**dict(self.named_parameters()), "x": x, "memory": memory})
        check_leading({"x": x, "memory": memory})


def _apply(w: nn.Linear, x: Tensor) -> Tensor:
    bias = None if w.bias is None else in_float32_at_least(w.bias)
    return linear(in_float32_at_least(x), in_float32_at_least(w.weight), bias)


def _refuse_overflow(memory: str, **projected: Tensor) -> None:
    """Name what made too large a q, k or v, which the caller never saw."""
    for name, made in projected.items():
        source, w = "x" if name == "q" else memory, f"w_{name}"
        refuse_overflow(made, sizes_of(made)[0], f"the projections by {w}", f"{source} and {w}")


@torch.enable_grad()  # else a part of a trained matrix would look frozen
def _projections_of(module: nn.MultiheadAttention) -> dict[str, nn.Linear]:
    """w_q, w_k, w_v and w_o of torch's module, each an `nn.Linear` of its own."""
    _check_counterpart(module)
    if module.in_proj_weight is not None:
        weights = module.in_proj_weight.chunk(3)  # three blocks of d_model rows
    else:
        weights = (module.q_proj_weight, module.k_proj_weight, module.v_proj_weight)
    biases = (None,) * 3 if module.in_proj_bias is None else module.in_proj_bias.chunk(3)
    made = [_copied(w, b) for w, b in zip(weights, biases, strict=True)]
    made.append(_copied(module.out_proj.weight, module.out_proj.bias))
    return dict(zip(("w_q", "w_k", "w_v", "w_o"), made, strict=True))


def _copied(weight: Tensor, bias: Tensor | None) -> nn.Linear:
    rows, columns = weight.shape
    made = skip_init(
        nn.Linear, columns, rows, bias=bias is not None, device=weight.device, dtype=weight.dtype
    )
    for part, given in ((made.weight, weight), (made.bias, bias)):
        if given is not None:
            part.detach().copy_(given.detach())
            part.requires_grad_(given.requires_grad)
    return made


def _check_counterpart(module: Any) -> None:
    if not isinstance(module, nn.MultiheadAttention):
        raise TypeError(
            f"module must be a torch.nn.MultiheadAttention; got {type(module).__name__}. "
            "Copy other layers' matrices into w_q, w_k, w_v and w_o by hand."
        )
    own = type(module).forward is not nn.MultiheadAttention.forward
    for there, what in (
        (own, f"a forward of its own ({type(module).__name__})"),
        (module.bias_k is not None, "add_bias_kv=True (a learned extra key)"),
        (module.add_zero_attn, "add_zero_attn=True (an extra key of zeros)"),
        (module.kdim != module.vdim, f"keys of width {module.kdim}, values of {module.vdim}"),
    ):
        if there:
            raise ValueError(
                f"module must have a counterpart here; got one with {what}. "
                "Make it without, or call attention on projections of your own."
            )

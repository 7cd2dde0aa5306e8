"""Several heads, each with projections of its own, joined by one more projection."""

import math
from itertools import chain
from typing import Self

import torch
from torch import Tensor, nn
from torch.func import functional_call

from attn_lab.core.attention import AttentionResult, attention
from attn_lab.core.checks.arguments import (
    FLOATS,
    check_count,
    check_floats,
    check_leading,
    check_same_kind,
    check_tensor,
    shape_of,
)
from attn_lab.core.checks.arithmetic import HALVES, autocasts, in_float32_at_least
from attn_lab.core.checks.values import refuse_non_finite, refuse_overflow, sizes_of
from attn_lab.core.heads import merge_heads, split_heads
from attn_lab.core.torch_module import projections_of

PROJECTIONS = ("w_q", "w_k", "w_v", "w_o")


class MultiHeadAttention(nn.Module):
    """Attention in `n_heads` narrower spaces, with the weights of each head.

    Projections are x Wᵀ + b, as in `nn.Linear`; scores are scaled by the head's width. There is
    no dropout, so that training and evaluation give the same.

    w_q, w_k, w_v and w_o are called as modules: hooks, pruning, parametrizations, `torch.autocast`
    and whatever stands in their place act as in torch. Outside autocast half inputs are computed
    in float32, by float32 copies of half parameters; hooks then see float32.

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
        self.w_q: nn.Module = nn.Linear(self.d_model, self.d_model, bias=bias)
        self.w_k: nn.Module = nn.Linear(self.d_model, self.d_model, bias=bias)
        self.w_v: nn.Module = nn.Linear(self.d_model, self.d_model, bias=bias)
        self.w_o: nn.Module = nn.Linear(self.d_model, self.d_model, bias=bias)
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
        projections = projections_of(module)
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
        wide = x.dtype in HALVES and not autocasts(x)
        q, k, v = (
            split_heads(self._project(name, each, wide), self.n_heads)  # [B, n_heads, T, d_head]
            for name, each in (("w_q", x), ("w_k", memory), ("w_v", memory))
        )
        try:
            mixed, weights = attention(
                q, k, v, allowed=allowed, fully_masked=fully_masked, need_weights=need_weights
            )
        except ValueError:
            self._refuse_non_finite(x, memory)
            _refuse_overflow("x" if memory is x else "memory", q=q, k=k, v=v)
            raise
        output = self._project("w_o", merge_heads(mixed), wide)
        if wide:
            output = output.to(x.dtype)
            weights = None if weights is None else weights.to(x.dtype)
        size = sizes_of(output)[0]
        if not math.isfinite(size):
            self._refuse_non_finite(x, memory)
        refuse_overflow(output, size, "the outputs", "x and the projections")
        return AttentionResult(output, weights)

    def _project(self, name: str, x: Tensor, wide: bool) -> Tensor:
        """What the projection of this name makes of `x`, in float32 where `wide`."""
        w = self.get_submodule(name)
        made = _call_wide(w, x) if wide else w(x)
        if not isinstance(made, Tensor) or made.shape[:-1] != x.shape[:-1]:
            raise ValueError(
                f"{name} must give one row for each row of {shape_of(x)}; got "
                f"{shape_of(made) if isinstance(made, Tensor) else type(made).__name__}. "
                f"Check what stands in the place of {name}, and its hooks."
            )
        if made.shape[-1] % self.n_heads:
            raise ValueError(
                f"{name} must give rows that {self.n_heads} heads can share; got {shape_of(made)}. "
                f"Check what stands in the place of {name}."
            )
        return made

    def _refuse_non_finite(self, x: Tensor, memory: Tensor) -> None:
        """Name what came in broken, rather than the q, k or v that was made of it."""
        for name, each in {"x": x, "memory": memory, **dict(self.named_parameters())}.items():
            if each.dtype in FLOATS:
                refuse_non_finite(**{name: (each, sizes_of(each)[0])})

    def _check(self, x: Tensor, memory: Tensor) -> None:
        for name, given, w in (
            ("x", x, self.w_q),
            ("memory", memory, self.w_k),
            ("memory", memory, self.w_v),
        ):
            check_tensor(name, given, "[B, T, d_model]")
            check_floats(name, given)
            width = getattr(w, "in_features", None)  # what is no single layer says its own
            if width not in (None, given.shape[-1]):
                raise ValueError(
                    f"{name} needs the width that the module was made for: [B, T, "
                    f"{width}]; got {shape_of(given)}. Check d_model."
                )
        check_same_kind({**self._matrices(), "x": x, "memory": memory})
        check_leading({"x": x, "memory": memory})

    def _matrices(self) -> dict[str, Tensor]:
        """The matrices and biases of the plain projections, which meet `x` as they are."""
        return {
            f"{name}.{part}": parameter
            for name in PROJECTIONS
            if isinstance(w := self.get_submodule(name), nn.Linear)
            for part, parameter in w.named_parameters(recurse=False)
            if part in ("weight", "bias") and parameter.dtype in FLOATS
        }


def _call_wide(w: nn.Module, x: Tensor) -> Tensor:
    """The module called with float32 copies of its half numbers, and of `x`."""
    named = chain(w.named_parameters(), w.named_buffers())
    numbers = {name: in_float32_at_least(each) for name, each in named}
    made: Tensor = functional_call(w, numbers, (in_float32_at_least(x),))
    for name, buffer in w.named_buffers():
        if buffer is not numbers[name]:
            buffer.copy_(numbers[name].detach())  # what the call counted
    return made


def _refuse_overflow(memory: str, **projected: Tensor) -> None:
    """Name what made a q, k or v, which the caller never saw, too large or not a number."""
    for name, made in projected.items():
        source, w = "x" if name == "q" else memory, f"w_{name}"
        size = sizes_of(made)[0]
        if math.isnan(size):
            refuse_non_finite(**{f"the output of {w}": (made, size)})
        refuse_overflow(made, size, f"the projections by {w}", f"{source} and {w}")

"""The projections of torch's own `nn.MultiheadAttention`, apart."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import skip_init


@torch.enable_grad()  # else a part of a trained matrix would look frozen
def projections_of(module: nn.MultiheadAttention) -> dict[str, nn.Linear]:
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

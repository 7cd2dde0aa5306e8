"""Whether q, k, v and `allowed` (True = may be read) fit each other."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lab.core.checks.arguments import (
    FLOATS,
    check_boolean,
    check_choice,
    check_floats,
    check_leading,
    check_number,
    check_same_kind,
    check_tensor,
    check_values,
    shape_of,
)
from attn_lab.core.checks.arithmetic import in_one_dtype

AXES = ("[..., T_q, d_k]", "[..., T_k, d_k]", "[..., T_k, d_v]")


class Inputs(NamedTuple):
    """What attention is made from, once its arguments are known to fit."""

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
    if not _fit_at_a_glance(q, k, v):
        check_queries_and_keys(q, k, v=v)
        if v.shape[-2] != k.shape[-2]:
            raise ValueError(
                f"v needs one row per key: [..., {k.shape[-2]}, d_v] to go with k {shape_of(k)}; "
                f"got {shape_of(v)}. Keys and values come from the same positions."
            )
        q, k, v = in_one_dtype(q, k, v)
    scale = scale_for(q, scale)
    temperature = check_number("temperature", temperature, positive=True)
    check_choice("fully_masked", fully_masked, ("raise", "zero"))
    if not (allowed is None or _fits_at_a_glance(allowed, q, k)):
        allowed = check_allowed(allowed, scores_shape(q, k), q.device)
    return Inputs(q, k, v, allowed, scale, temperature)


def _fit_at_a_glance(q: Any, k: Any, v: Any) -> bool:
    """Whether they are what nearly every call brings, of which the checks one by one say nothing.

    Where this is in doubt it says no: then those checks decide.
    """
    if not (_is_dense(q) and _is_dense(k) and _is_dense(v) and q.dtype in FLOATS):
        return False
    if not (q.dtype is k.dtype is v.dtype and q.device == k.device == v.device) or q.is_meta:
        return False
    shape = q.shape
    if len(shape) < 2 or shape == k.shape == v.shape:
        return len(shape) > 1
    *batch, _, width = shape
    return [*batch, width] == [*k.shape[:-2], k.shape[-1]] and k.shape[:-1] == v.shape[:-1]


def _fits_at_a_glance(allowed: Any, q: Tensor, k: Tensor) -> bool:
    return (
        _is_dense(allowed)
        and allowed.dtype is torch.bool
        and allowed.shape == (q.shape[-2], k.shape[-2])
        and allowed.device == q.device
    )


def _is_dense(x: Any) -> bool:
    return type(x) is Tensor and not x.is_nested and x.layout is torch.strided and x.numel() != 0


def check_queries_and_keys(q: Tensor, k: Tensor, **values: Tensor) -> None:
    """Refuse q and k, and values where given, that do not fit each other."""
    given = {"q": q, "k": k} | values
    for (name, x), axes in zip(given.items(), AXES, strict=False):
        check_tensor(name, x, axes)
        check_floats(name, x)
    check_same_kind(given)
    check_leading(given)
    if k.shape[-1] != q.shape[-1]:
        raise ValueError(
            f"k needs the width of q: [..., T_k, {q.shape[-1]}] to go with q {shape_of(q)}; "
            f"got {shape_of(k)}. Check W_K: queries and keys share d_k."
        )


def scale_for(q: Tensor, scale: float | None) -> float:
    """The scale asked for, 1/√d_k where none is."""
    return q.shape[-1] ** -0.5 if scale is None else check_number("scale", scale)


def scores_shape(q: Tensor, k: Tensor) -> list[int]:
    """[..., T_q, T_k], before any score is made."""
    leading = q.shape[:-2]
    if leading != k.shape[:-2]:
        leading = torch.broadcast_shapes(leading, k.shape[:-2])
    return [*leading, q.shape[-2], k.shape[-2]]


def check_allowed(allowed: Any, scores_shape: Sequence[int], device: torch.device) -> Tensor:
    """The mask on the scores' device, refused unless its meaning for these scores is plain.

    It is 2-D [T_q, T_k], or has the scores' rank with each axis equal or 1.
    """
    wanted = list(scores_shape)
    rows_columns = "[T_q, T_k]" if len(wanted) > 1 else "[T_k]"
    check_boolean("allowed", allowed, rows_columns, n_dims=1)
    got = list(allowed.shape)
    fits = len(got) == len(wanted) and all(g in (1, w) for g, w in zip(got, wanted, strict=True))
    if not fits and got != wanted[-2:]:
        raise ValueError(
            f"allowed needs shape {wanted[-2:]}, or {len(wanted)} axes that fit the scores "
            f"{wanted} (each equal or 1); got {shape_of(allowed)}. {_advice(got, wanted)}"
        )
    if allowed.device == device:
        return allowed
    check_values("allowed", allowed)
    return allowed.to(device)


def _advice(got: list[int], wanted: list[int]) -> str:
    """What to write instead, guessed from the shape that came."""
    batch, T_k = wanted[0], wanted[-1]
    missing = len(wanted) - len(got)
    if len(got) == 2 and missing > 0 and got == [batch, T_k]:
        axes = "None, " * (len(wanted) - 2)
        return f"For one row of keys per sequence write allowed[:, {axes}:]."
    if len(got) == 3 and missing == 1 and got[0] == batch * wanted[1] > batch:
        return (
            f"For torch's mask of all heads in one axis write allowed.unflatten(0, ({batch}, -1))."
        )
    if len(got) == 3 and missing == 1:
        return "With heads write allowed[:, None], the same for every head."
    if len(got) == 1 and missing > 0:
        return f"For the same keys in every row write allowed.expand({wanted[-2]}, {T_k})."
    if len(got) > 1 and got[-2:] != wanted[-2:] and got[-2:] == [wanted[-1], wanted[-2]]:
        return "Rows are queries and columns are keys: write allowed.transpose(-2, -1)."
    if got[-2:] == wanted[-2:]:
        return "Queries and keys fit; check the axes before them, batch and heads."
    return "Rows are queries, columns are keys."

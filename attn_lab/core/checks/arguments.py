"""Argument checks that read no values, only types, shapes and devices.

Every message says which argument, what was expected, what came, and what to do next.
"""

import math
import numbers
import operator
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from attn_lab.core.checks.arithmetic import autocasts

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def shape_of(x: Tensor) -> str:
    """The shape as people write it: [3, 2]."""
    return str(list(x.shape))


def dtype_of(x: Tensor) -> str:
    return str(x.dtype).removeprefix("torch.")


def check_tensor(name: str, x: Any, axes: str, n_dims: int = 2) -> None:
    """Refuse what is not a tensor of at least `n_dims` axes, none of them empty."""
    if not isinstance(x, Tensor):
        raise TypeError(
            f"{name} must be a torch.Tensor of shape {axes}; got {type(x).__name__}. "
            f"Write torch.as_tensor({name})."
        )
    if x.is_nested:  # first, because it has no sizes to ask for
        raise TypeError(
            f"{name} must be a dense tensor; got a nested one. Write "
            f"torch.nested.to_padded_tensor({name}, 0.0), and padding_mask for what that adds."
        )
    if x.layout is not torch.strided:
        raise TypeError(f"{name} must be a dense tensor; got {x.layout}. Write {name}.to_dense().")
    if x.dim() < n_dims:
        raise ValueError(
            f"{name} needs shape {axes}; got {shape_of(x)}. "
            f"For a single row write {name}[None], which adds the missing axis."
        )
    if x.numel() == 0:
        raise ValueError(
            f"{name} needs shape {axes} with at least one entry along each axis; "
            f"got {shape_of(x)}. Leave the empty part out before the call."
        )


def check_values(name: str, x: Tensor) -> None:
    """Refuse a tensor that is a shape and nothing else."""
    if x.is_meta:
        raise ValueError(
            f"{name} must hold numbers; got a tensor on the device meta, which has only a shape. "
            f"Make {name} on the CPU or a GPU."
        )


def check_floats(name: str, x: Tensor) -> None:
    """Refuse integers, Booleans and complex numbers."""
    if x.dtype not in FLOATS:
        raise TypeError(
            f"{name} must hold float16, bfloat16, float32 or float64; got {dtype_of(x)}. "
            f"Write {name}.float()."
        )


def check_boolean(name: str, mask: Any, axes: str, n_dims: int = 2) -> None:
    """Refuse a mask of numbers, and name the converters."""
    check_tensor(name, mask, axes, n_dims)
    if mask.dtype != torch.bool:
        raise TypeError(
            f"{name} must be a Boolean tensor; got {dtype_of(mask)}. For 0 and -inf write "
            f"attn_lab.masks.from_additive({name}), for 1 = real and 0 = padding "
            f"attn_lab.masks.from_attention_mask({name})."
        )


def check_same_kind(tensors: dict[str, Tensor]) -> None:
    """Refuse tensors of unlike dtype or device.

    Under `torch.autocast` some come in half and some in float32; float64 it leaves as it is.
    """
    (first, a), *others = tensors.items()
    for name, b in others:
        if b.dtype != a.dtype and not (torch.float64 not in (a.dtype, b.dtype) and autocasts(a)):
            raise TypeError(
                f"{name} needs the dtype of {first}, {dtype_of(a)}; got {dtype_of(b)}. "
                f"Write {name}.to({first}.dtype)."
            )
        if b.device != a.device:
            raise ValueError(
                f"{name} needs the device of {first}, {a.device}; got {b.device}. "
                f"Write {name}.to({first}.device)."
            )
    check_values(first, a)  # and with it all others


def check_leading(tensors: dict[str, Tensor]) -> None:
    """Refuse tensors whose axes before the last two do not pair up (equal, or 1)."""
    if len({x.shape[:-2] for x in tensors.values()}) == 1:
        return
    for (first, a), (name, b) in combinations(tensors.items(), 2):
        if b.dim() != a.dim():
            short, fewer = (name, b) if b.dim() < a.dim() else (first, a)
            missing = ", ".join(["None"] * abs(a.dim() - b.dim()))
            index = missing if fewer.dim() == 2 else f":, {missing}"  # batch first, then heads
            raise ValueError(
                f"{name} needs as many axes as {first} {shape_of(a)}; got {shape_of(b)}. "
                f"Add the missing axes with None, for example {short}[{index}]."
            )
        for x, y in zip(a.shape[:-2], b.shape[:-2], strict=True):
            if x != y and 1 not in (x, y):
                raise ValueError(
                    f"{name} needs the leading axes of {first}, {list(a.shape[:-2])}; got "
                    f"{list(b.shape[:-2])}. Check that both have the same batch and heads."
                )


def check_count(name: str, n: Any, at_least: int = 1) -> int:
    """`n` as an int; refuse what is not a whole number of at least `at_least`."""
    try:
        if isinstance(n, bool) or getattr(n, "dtype", None) is torch.bool:
            raise TypeError
        count = operator.index(n)
    except TypeError:
        raise TypeError(
            f"{name} must be a whole number; got {n!r} of type {type(n).__name__}. "
            f"Write int({name}) if it is one."
        ) from None
    if count < at_least:
        raise ValueError(f"{name} must be at least {at_least}; got {count}. Count what is there.")
    return count


def check_number(name: str, x: Any, *, positive: bool = False) -> float:
    """`x` as a float; refuse what is not a finite number (above 0 where asked)."""
    if type(x) is not float and (isinstance(x, bool) or not isinstance(x, numbers.Real)):
        raise TypeError(
            f"{name} must be a number; got {type(x).__name__}. Write float({name}) if it is one."
        )
    try:
        value = float(x)
    except OverflowError:  # a whole number beyond every float
        value = math.inf
    if not math.isfinite(value) or (positive and value <= 0):
        wanted = "a finite number above 0" if positive else "a finite number"
        raise ValueError(f"{name} must be {wanted}; got {value}. Leave it out for the default.")
    return value


def check_choice(name: str, value: Any, options: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in options:
        wanted = " or ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be {wanted}; got {value!r}. Write one of them.")

"""From what a function returned to tensors that can be compared, or a sentence why not."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attn_lab.grade.graders_entry import Part


class UnreadableError(Exception):
    """What was returned is not what was asked for; the message says what came."""


def read(value: Any, parts: Sequence[Part]) -> tuple[Tensor, ...]:
    """Returns one tensor for each part: float64 for numbers, as it came for truth.

    Raises: UnreadableError.
    """
    names = " and ".join(part.name for part in parts)
    if len(parts) == 1:
        return (_part(value, parts[0]),)
    if not isinstance(value, tuple | list) or len(value) != len(parts):
        came = f"{len(value)} things" if isinstance(value, tuple | list) else kind_of(value)
        raise UnreadableError(
            f"{_count(len(parts))} are asked for, {names}, with a comma between them; "
            f"{came} came back."
        )
    return tuple(_part(one, part) for one, part in zip(value, parts, strict=True))


def kind_of(value: Any) -> str:
    """Returns what a value is, in a few words.

    >>> kind_of(torch.zeros(2, 3)), kind_of("a")
    ('a tensor of shape [2, 3]', 'a str')
    """
    if isinstance(value, Tensor):
        return f"a tensor of shape {list(value.shape)}"
    if callable(value):
        return "a function"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _part(value: Any, part: Part) -> Tensor:
    try:
        tensor = _tensor(value)
        return tensor if part.kind == "truth" else tensor.to(torch.float64)
    except Exception as error:  # whatever an object of the learner's own does
        raise UnreadableError(f"{part.name}: {error}") from None


def _tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor) and not value.is_complex():
        plain = value.detach().cpu()
        return plain if plain.layout == torch.strided else plain.to_dense()
    if hasattr(value, "__array__") and not isinstance(value, Tensor):
        return torch.from_numpy(value.__array__().copy())
    if isinstance(value, list | tuple):
        rows = [_tensor(each) for each in value]
        if not rows:
            raise TypeError("an empty list came back.")
        shapes = {tuple(row.shape) for row in rows}
        if len(shapes) > 1:
            raise TypeError("the rows that came back are of different lengths.")
        return torch.stack(rows)
    if isinstance(value, bool):
        return torch.tensor(value)
    if isinstance(value, int | float):
        return torch.tensor(float(value), dtype=torch.float64)
    raise TypeError(f"numbers are asked for, in a list or a tensor; {kind_of(value)} came back.")


def _count(number: int) -> str:
    return {2: "two things", 3: "three things"}.get(number, f"{number} things")

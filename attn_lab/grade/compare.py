"""What a function returned, read to tensors or refused in words; the first thing that differs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attn_lab.grade.tasks.task_entry import Part
from attn_lab.show.masked_arrays import hides

ABSOLUTE, RELATIVE = 1e-5, 1e-4  # float32 passes; the closest mistakes differ by 1e-3
Tensors = tuple[Tensor, ...]


@dataclass(frozen=True)
class Difference:
    """What differs: a sentence, and a row where there is one to show, labels first."""

    sentence: str
    columns: tuple[str, ...] = ()
    expected: tuple[str | float, ...] = ()
    got: tuple[str | float, ...] = ()


def difference(got: Tensors, expected: Tensors, parts: tuple[Part, ...]) -> Difference | None:
    """The first difference: shapes of all parts, then kinds, then values."""
    three = list(zip(got, expected, parts, strict=True))
    for ours, right, part in three:
        if ours.shape != right.shape:
            return _shapes(got, expected, ours, right, part)
    for ours, _, part in three:
        if part.kind == "truth" and ours.dtype != torch.bool:
            kind = str(ours.dtype).removeprefix("torch.")
            return Difference(f"{_capital(part)} holds {kind}, where True and False are asked for.")
    for ours, right, part in reversed(three):  # the weights come before the output made of them
        if not close(ours, right):
            return _row(ours, right, part)
    return None


def close(ours: Tensor, theirs: Tensor) -> bool:
    """Whether two tensors hold the same, nan and nan being the same."""
    if ours.shape != theirs.shape:
        return False
    a, b = ours.to(torch.float64), theirs.to(torch.float64)
    return torch.allclose(a, b, RELATIVE, ABSOLUTE, equal_nan=True)


def _shapes(got: Tensors, expected: Tensors, ours: Tensor, right: Tensor, part: Part) -> Difference:
    said = f"{_capital(part)} has shape {list(ours.shape)}, and {list(right.shape)} is asked for."
    if [each.shape for each in reversed(got)] == [each.shape for each in expected]:
        said += " The two results fit in the other order."
    return Difference(said)


def _row(ours: Tensor, right: Tensor, part: Part) -> Difference:
    a, b = ours.to(torch.float64), right.to(torch.float64)
    wrong = ~torch.isclose(a, b, RELATIVE, ABSOLUTE, equal_nan=True)
    place = tuple(wrong.any(-1).nonzero()[0].tolist())  # empty for a single row
    axes = part.axes[-ours.dim() :]
    axes = ("batch",) * (ours.dim() - len(axes)) + axes
    where = ", ".join(f"{axis} {n + 1}" for axis, n in zip(axes, place, strict=False))
    at = f" at {where}" if where else ""
    said = f"{_capital(part)} {_verb(part, 'differ')}{at}."
    if math.isnan(a[place].sum().item()):
        said = f"{_capital(part)} {_verb(part, 'hold')} nan (not a number){at}."
    columns = tuple(f"{axes[-1]} {n + 1}" for n in range(ours.shape[-1]))
    return Difference(said, columns, _entries(right[place]), _entries(ours[place]))


def _entries(row: Tensor) -> tuple[str | float, ...]:
    return tuple(str(x) if isinstance(x, bool) else float(x) for x in row.tolist())


def _verb(part: Part, verb: str) -> str:
    return verb if part.name.endswith("s") else f"{verb}s"


def _capital(part: Part) -> str:
    return f"The {part.name}"


class UnreadableError(Exception):
    """What was returned is not what was asked for; the message says what came."""


def read(value: Any, parts: Sequence[Part]) -> tuple[Tensor, ...]:
    """One tensor for each part: float64 for numbers, as it came for truth.

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
    """What a value is, in a few words.

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
    if isinstance(value, list | tuple) and not part.listed:
        of_tensors = any(isinstance(each, Tensor) for each in value)
        how = "`torch.stack` makes one of a list of tensors"
        how = how if of_tensors else "`torch.tensor` makes one of a list"
        raise UnreadableError(
            f"the {part.name}: a tensor is asked for, and {kind_of(value)} came back. {how}."
        )
    try:
        tensor = _tensor(value)
        return tensor if part.kind == "truth" else tensor.to(torch.float64)
    except BaseException as error:  # whatever an object of the learner's own does
        raise UnreadableError(f"{part.name}: {error}") from None


def _tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor) and not value.is_complex():
        plain = value.detach().cpu().clone()  # the function may write into its own again
        return plain if plain.layout == torch.strided else plain.to_dense()
    if hides(value):
        raise TypeError(
            "numbers are asked for, and a masked array that hides some came back. `.filled(0)` "
            "gives it with 0 in their place."
        )
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

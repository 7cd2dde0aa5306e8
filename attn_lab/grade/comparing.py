"""One result against the right one: the first thing that differs, smallest matter first."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from attn_lab.grade.graders_entry import Part

ABSOLUTE, RELATIVE = 1e-5, 1e-4  # float32 passes; the closest mistakes differ by 1e-3
Result = tuple[Tensor, ...]


@dataclass(frozen=True)
class Difference:
    """What differs: a sentence, and a row where there is one to show, labels first."""

    sentence: str
    columns: tuple[str, ...] = ()
    expected: tuple[str | float, ...] = ()
    got: tuple[str | float, ...] = ()


def difference(got: Result, expected: Result, parts: tuple[Part, ...]) -> Difference | None:
    """Returns the first difference: shapes of all parts, then kinds, then values."""
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
    """Says whether two tensors hold the same, nan and nan being the same."""
    if ours.shape != theirs.shape:
        return False
    a, b = ours.to(torch.float64), theirs.to(torch.float64)
    return torch.allclose(a, b, RELATIVE, ABSOLUTE, equal_nan=True)


def _shapes(got: Result, expected: Result, ours: Tensor, right: Tensor, part: Part) -> Difference:
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

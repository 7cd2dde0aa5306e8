"""The row calculator: change the numbers of one query, its keys and values, and see it redone."""

from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import ipywidgets as widgets
import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.explore.explorer import Explorer, typed_vector
from attn_lab.show import row_steps
from attn_lab.show.arrays import as_features, as_row
from attn_lab.show.printed_numbers import plain
from attn_lab.show.printed_numbers import row as numbers_of
from attn_lab.widgets.named_controls import entry, presets, wrapped

MOST_KEYS, MOST_FEATURES = 6, 4
_ALIKE = 1e-12


@dataclass(frozen=True)
class Numbers:
    """One query [d_k], its keys [T_k, d_k] and values [T_k, d_v]."""

    q: Tensor
    k: Tensor
    v: Tensor

    def result(self) -> tuple[Tensor, Tensor]:
        """The weights and the output of the row."""
        found = attention(self.q[None], self.k, self.v)
        output, weights = cast("tuple[Tensor, Tensor]", found)  # weights are asked for
        return weights[0], output[0]


def row_calculator(q: Any, k: Any, v: Any) -> "RowCalculator":
    """An explorer of one row: every number of q, k and v can be changed.

    Shapes: q [d_k] or [1, d_k], k [T_k, d_k], v [T_k, d_v]; at most 6 keys and 4 features.
    Raises: ValueError when the shapes do not fit or are too large to edit.

    >>> row_calculator([1, 0], [[1, 0], [0, 1]], [[10, 0], [0, 20]])
    An explorer: run this cell in JupyterLab to move its controls.
    """
    arrays = as_row(q, "q"), as_features(k, "k"), as_features(v, "v")
    start = Numbers(*(torch.from_numpy(array) for array in arrays))
    start.result()  # says which shapes do not fit
    for name, x in (("k", start.k), ("v", start.v)):
        if len(x) > MOST_KEYS or x.shape[1] > MOST_FEATURES:
            raise ValueError(
                f"{name} needs at most {MOST_KEYS} rows of {MOST_FEATURES} numbers, to be edited "
                f"by hand; got {list(x.shape)}. Pass a part, for example {name}[:4, :2]."
            )
    return RowCalculator(start)


class RowCalculator(Explorer):
    """The explorer's numbers, the ones it started with, and its fields."""

    name = "rows"

    def __init__(self, start: Numbers) -> None:
        super().__init__()
        self.start = self.numbers = start

    def controls(self) -> list[widgets.Widget]:
        self.fields = {"query": entry("query", "", "14em")}
        lines = [self.fields["query"]]
        for j in range(1, len(self.start.k) + 1):
            pair = {f"{what} {j}": entry(f"{what} {j}", "", "14em") for what in ("key", "value")}
            self.fields.update(pair)
            lines.append(wrapped(*pair.values()))
        self._write_fields()
        for name, field in self.fields.items():
            field.observe(self.watched(partial(self.on_entry, name)), "value")
        return [*lines, presets(self._presets(), self.watched)]

    def _presets(self) -> dict[str, Any]:
        q, k, v = self.start.q, self.start.k, self.start.v
        first = v.clone()
        first[0] = v[0] * 10
        made = {
            "as at the start": Numbers(q, k, v),
            "first value × 10": Numbers(q, k, first),
            "query × 10": Numbers(q * 10, k, v),
            "query all 0": Numbers(q * 0, k, v),
            "keys in reverse": Numbers(q, k.flip(0), v),
        }
        return {text: partial(self.choose, numbers) for text, numbers in made.items()}

    def on_entry(self, name: str, change: Any) -> None:
        what, _, number = name.partition(" ")
        x = {"query": self.numbers.q[None], "key": self.numbers.k, "value": self.numbers.v}[what]
        x = x.clone()
        typed = typed_vector(change["new"], name, x.shape[1])
        x[int(number or 1) - 1] = torch.tensor(typed, dtype=x.dtype)
        q, k, v = self.numbers.q, self.numbers.k, self.numbers.v
        made = {"query": (x[0], k, v), "key": (q, x, v), "value": (q, k, x)}
        self.choose(Numbers(*made[what]))

    def choose(self, numbers: Numbers) -> None:
        """Take over numbers that can be calculated with; others are refused and change nothing."""
        numbers.result()
        self.numbers = numbers
        with self.moving():
            self._write_fields()
        self.redraw()

    def _write_fields(self) -> None:
        self.fields["query"].value = _written(self.numbers.q)
        for j, (key, value) in enumerate(zip(self.numbers.k, self.numbers.v, strict=True), start=1):
            self.fields[f"key {j}"].value = _written(key)
            self.fields[f"value {j}"].value = _written(value)

    def look(self) -> tuple[str, str]:
        numbers = self.numbers
        steps = row_steps(numbers.q[None], numbers.k, numbers.v, title="The row, step by step")
        return compared(numbers, self.start), steps.html


def compared(now: Numbers, start: Numbers) -> str:
    """What the row gives, and which of weights and output differ from the start."""
    said = []
    for name, new, old in zip(("weights", "output"), now.result(), start.result(), strict=True):
        same = torch.allclose(new, old, rtol=_ALIKE, atol=_ALIKE)
        beside = "as at the start" if same else f"at the start {numbers_of(old, 3)}"
        said.append(f"{name} {numbers_of(new, 3)} ({beside})")
    return f"{said[0]}; {said[1]}.".capitalize()


def _written(x: Tensor) -> str:
    return ", ".join(plain(value, 6) for value in x.tolist())

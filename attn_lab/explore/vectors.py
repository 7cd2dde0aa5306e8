"""Vectors: drag a query and its keys, and see angle, products, weights and output follow."""

import math
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.explore.explorer import Explorer
from attn_lab.show import row_steps
from attn_lab.show.arrays import as_features, as_row
from attn_lab.show.printed_numbers import row as numbers_of
from attn_lab.show.printed_numbers import two
from attn_lab.widgets.panel import PROBLEM
from attn_lab.widgets.parts import Part, plane, region, sides, stack

MOST_KEYS = 4
_QUERY = "query"


def vectors(q: Any, k: Any, v: Any, *, keys_move: bool = True) -> "Vectors":
    """An explorer of one query and its keys as arrows in a plane; the keys may be held fast.

    Shapes: q [2] or [1, 2], k [T_k, 2], v [T_k, d_v]; at most 4 keys.
    Raises: ValueError when the shapes do not fit, or the arrows do not lie in a plane.

    >>> vectors([1, 0], [[1, 0], [0, 1]], [[10, 0], [0, 20]])
    An explorer: run this cell in JupyterLab to move its controls.
    """
    made = [torch.from_numpy(x) for x in (as_row(q, "q"), as_features(k, "k"), as_features(v, "v"))]
    if len(made[0]) != 2 or len(made[1]) > MOST_KEYS:
        raise ValueError(
            f"q and k need 2 numbers a row and at most {MOST_KEYS} keys, to lie in a plane; got "
            f"q {list(made[0].shape)} and k {list(made[1].shape)}. Pass a part, such as k[:4, :2]."
        )
    attention(made[0][None], made[1], made[2])  # says which shapes do not fit
    return Vectors(*made, keys_move=keys_move)


class Vectors(Explorer):
    """The arrows as they are, and as they were at the start."""

    name = "vectors"

    def __init__(self, q: Tensor, k: Tensor, v: Tensor, *, keys_move: bool) -> None:
        super().__init__()
        self.keys_move = keys_move
        self.v = v
        self.start = {_QUERY: q, **{f"key {j + 1}": key for j, key in enumerate(k)}}
        self.arrows = dict(self.start)
        longest = max(float(arrow.abs().max()) for arrow in self.start.values())
        self.reach = math.ceil(2 * max(longest, 0.5))

    def laid_out(self) -> list[Part]:
        keys = [(name, "key", self.keys_move) for name in self.arrows if name != _QUERY]
        points = [*keys, (_QUERY, "query", True)]  # on top of a key at the same place
        moved = plane("arrows", "query and keys", points, (-self.reach, self.reach))
        said = [region(PROBLEM, live=True), region("said", "attn-result", live=True)]
        return [self.preset_buttons(), sides(moved, stack(*said, region("shown")))]

    def values(self) -> dict[str, Any]:
        return {"arrows": {name: arrow.tolist() for name, arrow in self.arrows.items()}}

    def moved(self, name: str, value: Any) -> None:
        self.arrows = {each: torch.tensor(at, dtype=self.v.dtype) for each, at in value.items()}

    def presets(self) -> dict[str, Any]:
        q, key = self.start[_QUERY], self.start["key 1"]
        across = key.flip(0) * torch.tensor([-1, 1], dtype=key.dtype)
        return {
            "as at the start": ("", partial(self.turn, q)),
            "query × 2": ("which weight grows?", partial(self.turn, 2 * q)),
            "query across key 1": ("what is a right angle worth?", partial(self.turn, across)),
            "query against key 1": ("and the opposite way?", partial(self.turn, -key)),
        }

    def turn(self, query: Tensor) -> None:
        """Take over a query beside the keys of the start."""
        self.arrows = {**self.start, _QUERY: query}

    def look(self) -> tuple[str, str]:
        q, *keys = self.arrows.values()
        k = torch.stack(keys)
        found = attention(q[None], k, self.v)
        output, weights = cast("tuple[Tensor, Tensor]", found)  # weights are asked for
        said = [
            f"Key {j}: {_between(q, key)}, weight {two(weight)}."
            for j, (key, weight) in enumerate(zip(keys, weights[0], strict=True), start=1)
        ]
        said.append(f"Output {numbers_of(output[0], 2)}.")
        return " ".join(said), row_steps(q[None], k, self.v).html


def _between(q: Tensor, key: Tensor) -> str:
    product, lengths = float(q @ key), float(q.norm() * key.norm())
    if lengths == 0:
        return "no angle to an arrow without length, product 0"
    angle = math.degrees(math.acos(max(-1.0, min(1.0, product / lengths))))
    return f"angle {angle:.0f}°, product {two(product)}"

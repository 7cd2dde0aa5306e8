"""Tiles: step through the online softmax of one row, tile by tile."""

import math
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from torch import Tensor

from attn_lab.core.attention import attention, scaled_scores
from attn_lab.core.masks import causal_mask
from attn_lab.core.tiles import TileStep as CoreStep
from attn_lab.core.tiles import tile_steps
from attn_lab.explore.explorer import Explorer, matrices, pressable
from attn_lab.show.printed_numbers import BLOCKED, number, three
from attn_lab.show.printed_numbers import row as numbers_of
from attn_lab.show.tables import plain_table
from attn_lab.widgets.parts import Part, choice, counter, row, tick

MOST_FEATURES = 4
HEAD = ["tile", "keys", "scores", "maximum so far", "factor", "sum so far", "output so far"]


@dataclass(frozen=True)
class TileStep:
    """What one tile brings, and what is kept after it."""

    first: int  # of its keys, an index from 0
    scores: list[float | None]  # None where blocked
    maximum: float
    factor: float
    total: float
    mean: Tensor  # [d_v] of the values read so far, 0 while there were none

    @property
    def keys(self) -> str:
        """Which keys the tile holds, as a range of positions from 1: "2", "3 to 4"."""
        first, last = self.first + 1, self.first + len(self.scores)
        return str(first) if first == last else f"{first} to {last}"

    @property
    def skipped(self) -> bool:
        """Whether no key of the tile may be read."""
        return all(score is None for score in self.scores)

    def output(self) -> Tensor | None:
        """The output so far, or nothing while nothing could be read."""
        return self.mean if self.total > 0 else None


@dataclass(frozen=True)
class Setting:
    """The row (index from 0), the mask, the size of a tile, and how many tiles are read."""

    row: int
    masked: bool
    size: int
    step: int = 0


def tiles(
    q: Any, k: Any, v: Any, *, block_size: int = 2, row: int | None = None,
    causal: bool = False, scale: float | None = None,
) -> "Tiles":  # fmt: skip
    """An explorer of one row read in tiles of `block_size` keys.

    Shapes: q [T_q, d_k], k [T_k, d_k], v [T_k, d_v], at most 16 keys. row counts from 0; without
    one it is the last in which a later tile corrects what an earlier one kept.
    Raises: ValueError when the shapes do not fit, and for a row or a size that does not exist.

    >>> tiles([[1]], [[1], [3], [2], [5]], [[1], [2], [3], [4]], scale=1.0)
    An explorer: run this cell in JupyterLab to move its controls.
    """
    tensors = matrices(q, k, v, square=False)
    n_queries, n_keys = len(tensors[0]), len(tensors[1])
    if not 1 <= block_size <= n_keys:
        raise ValueError(
            f"block_size needs 1 to {n_keys}, the number of keys; got {block_size}. "
            "A tile holds at least one key and at most all of them."
        )
    if row is not None and not 0 <= row < n_queries:
        raise ValueError(
            f"row needs an index from 0 to {n_queries - 1}, one of q's rows; got {row}. "
            "Query 1 is row 0."
        )
    made = Tiles(*tensors, Setting(row or 0, causal, block_size), scale)
    if row is None:
        made.setting = replace(made.setting, row=made.corrected_row())
    return made


class Tiles(Explorer):
    """The explorer's setting and its controls."""

    name = "tiles"

    def __init__(
        self, q: Tensor, k: Tensor, v: Tensor, setting: Setting, scale: float | None
    ) -> None:
        super().__init__()
        self.q, self.k, self.v, self.scale = q, k, v, scale
        self.setting = setting

    def allowed(self, setting: Setting) -> Tensor:
        """The mask of a setting [T_q, T_k]."""
        mask = causal_mask(len(self.q), len(self.k), align="lower_right")
        return mask if setting.masked else mask | True

    def corrected_row(self) -> int:
        """The last row whose largest score comes after the first tile, or the last of all."""
        scores = scaled_scores(self.q, self.k, scale=self.scale)
        legal = scores.masked_fill(~self.allowed(self.setting), -math.inf)
        late = (legal.argmax(dim=1) >= self.setting.size).nonzero()
        return int(late[-1]) if len(late) else len(self.q) - 1

    def steps(self, setting: Setting) -> list[TileStep]:
        """The record of the setting's row."""
        scores = scaled_scores(self.q, self.k, scale=self.scale)[setting.row]
        return read_in_tiles(scores, self.v, self.allowed(setting)[setting.row], setting.size)

    def controls(self) -> list[Part]:
        rows = [(f"query {i + 1}", i) for i in range(len(self.q))]
        picker = [choice("row", "row", rows)] if len(rows) > 1 else []
        return [
            row(
                counter("step", "tiles read", len(self.steps(self.setting)), least=0),
                counter("size", "keys in a tile", len(self.k)),
                tick("masked", "causal mask"),
                *picker,
            )
        ]

    def values(self) -> dict[str, Any]:
        return asdict(self.setting)

    def moved(self, name: str, value: Any) -> None:
        if name == "tile":  # pressed in the table, whose first row is the start
            name, value = "step", value[0]
        if name in ("step", "size"):
            most = len(self.k) if name == "size" else len(self.steps(self.setting))
            least = 1 if name == "size" else 0
            if value is None or not least <= value <= most:
                said = "nothing" if value is None else value
                raise ValueError(f"Expected a whole number from {least} to {most}; got {said}.")
        self.choose(replace(self.setting, **{name: value}))

    def presets(self) -> dict[str, Any]:
        whole = replace(self.setting, size=len(self.k), step=1)
        return {
            "next tile": ("what will the factor be?", partial(self.move, 1)),
            "one tile back": ("", partial(self.move, -1)),
            "before the first": ("", partial(self.move, -len(self.k))),
            "after the last": ("is it the whole row's output?", partial(self.move, len(self.k))),
            "all keys in one tile": ("what is left to correct?", partial(self.choose, whole)),
        }

    def move(self, by: int) -> None:
        """Read so many tiles more (or fewer), within those that there are; beyond, say so."""
        count = len(self.steps(self.setting))
        if by > 0 and self.setting.step == count:
            raise ValueError(f"Tile {count} is the last one; “before the first” begins again.")
        if by < 0 and self.setting.step == 0:
            raise ValueError("No tile has been read yet; press “next tile”.")
        self.choose(replace(self.setting, step=self.setting.step + by))

    def choose(self, setting: Setting) -> None:
        """Take over a setting, with no more tiles than there are."""
        count = len(self.steps(setting))
        self.setting = replace(setting, step=min(max(setting.step, 0), count))

    def look(self) -> tuple[str, str]:
        setting = self.setting
        steps = self.steps(setting)
        allowed = self.allowed(setting)
        dense = attention(
            self.q, self.k, self.v, allowed=allowed, scale=self.scale, fully_masked="zero"
        ).output[setting.row]
        return said(steps, setting.step, dense), drawn(steps, setting.step)


def read_in_tiles(scores: Tensor, v: Tensor, allowed: Tensor, size: int) -> list[TileStep]:
    """The steps of one row, as `core.tiles` takes them.

    Shapes: scores [T_k], v [T_k, d_v], allowed [T_k].

    >>> import torch
    >>> scores, v = torch.tensor([1.0, 3, 2, 5]).double(), torch.eye(4).double()
    >>> steps = read_in_tiles(scores, v, torch.ones(4).bool(), 2)
    >>> [(s.maximum, round(s.factor, 3), round(s.total, 3)) for s in steps]
    [(3.0, 0.0, 1.135), (5.0, 0.135, 1.203)]
    """
    one = scores.new_ones(1, 1)  # a query of 1 whose keys are the scores themselves
    mask = allowed[None]
    found = tile_steps(
        one, scores[:, None], v, allowed=mask, scale=1.0, fully_masked="zero", block_size=size
    )
    return [_step(step, scores, allowed) for step in found]


def _step(step: CoreStep, scores: Tensor, allowed: Tensor) -> TileStep:
    legal = zip(scores[step.keys].tolist(), allowed[step.keys], strict=True)
    shown = [score if ok else None for score, ok in legal]
    maximum, factor, total = (float(each) for each in (step.maximum, step.factor, step.total))
    return TileStep(step.keys.start, shown, maximum, factor, total, step.output[0])


def said(steps: list[TileStep], at: int, dense: Tensor | None) -> str:
    """What happens at step `at`; 0 is before the first tile."""
    if at == 0:
        return "Before the first tile nothing is kept: the maximum is −∞, the sum 0."
    step, before = steps[at - 1], steps[at - 2] if at > 1 else None
    total = f"Sum {three(step.total)}."
    if step.skipped:
        text = "no key of it may be read, so it is skipped and nothing changes."
    elif before is None or before.total == 0:
        text = (
            f"the first that may be read. Maximum {three(step.maximum)}, sum {three(step.total)}."
        )
    elif step.maximum > before.maximum:
        text = (
            f"the maximum grows from {three(before.maximum)} to {three(step.maximum)}, so what was "
            f"kept is multiplied by {three(step.factor)}. {total}"
        )
    else:
        text = f"the maximum stays {three(step.maximum)}, so what was kept stays as it is. {total}"
    keys = f"key{'s' if len(step.scores) > 1 else ''} {step.keys}"
    ending = _ending(step, at == len(steps), dense)
    return f"Tile {at} of {len(steps)}, {keys}: {text} {ending}".strip()


def _ending(step: TileStep, last: bool, dense: Tensor | None) -> str:
    output = step.output()
    if output is None:
        return "Nothing could be read: the row is empty." if last else ""
    if not last or dense is None:
        return f"Output so far {_vector(output)}."
    apart = float((output - dense).abs().max())
    equal = "the same up to rounding" if apart < 1e-9 else f"another, by {number(apart, 9)}"
    return f"Output {_vector(output)}; the whole row at once gives {equal}."


def drawn(steps: list[TileStep], at: int) -> str:
    """The table of all tiles; those that are still to come show their scores only."""
    lines = [["start", "", "", number(-math.inf, 3), "", three(0.0), BLOCKED]]
    for i, step in enumerate(steps, start=1):
        name = f"tile {i}" + (" ◂" if i == at else "")
        scores = " ".join(three(score) for score in step.scores)
        kept = ["", "", "", ""]
        if i <= at:
            output = step.output()
            kept = [
                three(step.maximum),
                "skipped" if step.skipped else three(step.factor),
                three(step.total),
                BLOCKED if output is None else _vector(output),
            ]
        lines.append([name, step.keys, scores, *kept])
    return pressable("tile", plain_table("What is kept, tile by tile", HEAD, lines))


def _vector(x: Tensor) -> str:
    return numbers_of(x[:MOST_FEATURES], 3) + (" …" if len(x) > MOST_FEATURES else "")

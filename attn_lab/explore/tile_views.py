"""The steps of a row read in tiles: one sentence for the present tile, a table for all so far."""

import math

from torch import Tensor

from attn_lab.explore.panels import under
from attn_lab.explore.tile_record import TileStep
from attn_lab.show.numbers import BLOCKED, number, row, three
from attn_lab.show.tables import plain_table

MOST_FEATURES = 4
HEAD = ["tile", "keys", "scores", "maximum so far", "factor", "sum so far", "output so far"]


def said(steps: list[TileStep], at: int, dense: Tensor | None) -> str:
    """Return what happens at step `at`; 0 is before the first tile."""
    if at == 0:
        return "Before the first tile nothing is kept: the maximum is −∞, the sum 0."
    step, before = steps[at - 1], _before(steps, at)
    head = f"Tile {at} of {len(steps)}, {_keys(step)}: "
    if step.skipped:
        text = head + "no key of it may be read, so it is skipped and nothing changes."
    elif before is None or before.total == 0:
        text = head + (
            f"the first that may be read. Maximum {three(step.maximum)}, sum {three(step.total)}."
        )
    elif step.maximum > before.maximum:
        text = head + (
            f"the maximum grows from {three(before.maximum)} to {three(step.maximum)}, so what was "
            f"kept is multiplied by {three(step.factor)}. Sum {three(step.total)}."
        )
    else:
        text = head + (
            f"the maximum stays {three(step.maximum)}, so what was kept stays as it is. "
            f"Sum {three(step.total)}."
        )
    return f"{text} {_ending(step, at == len(steps), dense)}".strip()


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
    """Return the table of all tiles; those that are still to come show their scores only."""
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
        lines.append([name, _keys(step).removeprefix("keys ").removeprefix("key "), scores, *kept])
    return under(plain_table("What is kept, tile by tile", HEAD, lines))


def _before(steps: list[TileStep], at: int) -> TileStep | None:
    return steps[at - 2] if at > 1 else None


def _keys(step: TileStep) -> str:
    first, last = step.first + 1, step.last + 1
    return f"key {first}" if first == last else f"keys {first} to {last}"


def _vector(x: Tensor) -> str:
    return row(x[:MOST_FEATURES], 3) + (" …" if len(x) > MOST_FEATURES else "")

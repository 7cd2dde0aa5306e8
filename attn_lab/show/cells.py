"""How one number of a map looks: the table and the figure both ask here, so they agree."""

import math
from dataclasses import dataclass

import numpy as np

from attn_lab.show.colours import shade
from attn_lab.show.numbers import BLOCKED, two

HATCH = "repeating-linear-gradient(45deg,rgba(128,128,128,.3) 0 2px,transparent 2px 7px)"
# After the fill, what the sanitiser of an untrusted notebook leaves: border and text.
BLOCKED_STYLE = f"border:1px dashed #808080;background-image:{HATCH}"
NAN_STYLE = "border:3px double #b3261e;background:#ffffff;color:#8c1d18;font-weight:bold"
INFINITE_STYLE = "border:1px solid #808080;font-style:italic"
LEAK_EDGE = "border:2px dashed #d81b60"


@dataclass(frozen=True)
class Scale:
    """Which values the two ends of the colour map stand for."""

    low: float
    high: float

    def share(self, value: float) -> float:
        # Halves: the span of two numbers near the largest float would be infinite.
        half = self.high / 2 - self.low / 2
        return (value / 2 - self.low / 2) / half if half else 0.5

    def at(self, share: float) -> float:
        """Return the value that a share of the scale stands for."""
        return 2 * (self.low / 2 + share * (self.high / 2 - self.low / 2))


@dataclass(frozen=True)
class Cell:
    """One cell: its kind (value, blocked, leak, nan, infinite), its text and its look."""

    kind: str
    text: str
    style: str
    fill: str | None = None
    ink: str | None = None


def cell(value: float, allowed: bool, scale: Scale, weights: bool) -> Cell:
    """Return how this value looks: zero, blocked and not-a-number never look alike.

    A blocked cell that holds weight all the same is a leak: its number stays visible.
    """
    if math.isnan(value) and (allowed or weights):
        return Cell("nan", "nan", NAN_STYLE)
    leaks = weights and not allowed and value != 0
    if not allowed and not leaks:
        return Cell("blocked", BLOCKED, BLOCKED_STYLE)
    if math.isinf(value):
        return Cell("infinite", two(value), INFINITE_STYLE)
    fill, ink = shade(scale.share(value))
    style = f"background:{fill};color:{ink}"
    if leaks:
        return Cell("leak", two(value) + "!", f"{style};{LEAK_EDGE}", fill, ink)
    return Cell("value", two(value), style, fill, ink)


def grid(x: np.ndarray, legal: np.ndarray, scale: Scale, weights: bool) -> list[list[Cell]]:
    """Return the cells of a whole map, row by row."""
    return [
        [cell(value, ok, scale, weights) for value, ok in zip(values, oks, strict=True)]
        for values, oks in zip(x.tolist(), legal.tolist(), strict=True)
    ]

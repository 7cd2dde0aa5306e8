"""A heatmap as a value: how each number looks, before anyone draws it, and what the map says."""

import math
from dataclasses import dataclass

import numpy as np

from attn_lab.show.colours import shade
from attn_lab.show.printed_numbers import BLOCKED, two

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
        """The value that a share of the scale stands for."""
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
    """How this value looks: zero, blocked and not-a-number never look alike.

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
    """The cells of a whole map, row by row."""
    return [
        [cell(value, ok, scale, weights) for value, ok in zip(values, oks, strict=True)]
        for values, oks in zip(x.tolist(), legal.tolist(), strict=True)
    ]


def counted(n: int, noun: str) -> str:
    """The count with its noun: "1 cell", "3 cells"."""
    return f"{n} {noun if n == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """The plural of a noun, as most English nouns make it.

    >>> plural("query"), plural("key"), plural("box")
    ('queries', 'keys', 'boxes')
    """
    if noun.endswith("y") and noun[-2:-1] not in {*"aeiou", ""}:
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


@dataclass(frozen=True)
class HeatMap:
    """The numbers of a map with their names, mask and scale."""

    values: np.ndarray
    allowed: np.ndarray
    masked: bool
    weights: bool
    scale: Scale
    queries: list[str]
    keys: list[str]
    axes: tuple[str, str]
    title: str
    sums: bool

    def cells(self) -> list[list[Cell]]:
        return grid(self.values, self.allowed, self.scale, self.weights)

    def row_sums(self) -> list[float]:
        """Each row's sum over what is drawn: blocked cells of a matrix do not count."""
        drawn = self.values if self.weights else np.where(self.allowed, self.values, 0.0)
        with np.errstate(invalid="ignore", over="ignore"):  # ∞ − ∞ is shown as nan
            return [float(total) for total in drawn.sum(axis=1)]

    def blocked(self) -> int:
        return int((~self.allowed).sum())

    def sentence(self) -> str:
        """One line that says what is drawn, what is blocked and what the rows add to."""
        rows, columns = self.values.shape
        head = (
            f"{self.title}: {counted(rows, self.axes[0])} "
            f"(row{'s' if rows > 1 else ''}) by {counted(columns, self.axes[1])} "
            f"(column{'s' if columns > 1 else ''})"
        )
        if self.masked:
            head += f", {counted(self.blocked(), 'cell')} blocked"
        parts = [head + "."]
        if self.weights:
            parts += self._sums_said()
        else:
            parts += self._values_said()
        if nan := int(np.isnan(np.where(self.allowed | self.weights, self.values, 0.0)).sum()):
            parts.append(f"{counted(nan, 'cell')} {'is' if nan == 1 else 'are'} not a number.")
        return " ".join(parts)

    def _values_said(self) -> list[str]:
        low, high = two(self.scale.low), two(self.scale.high)
        finite = bool(np.isfinite(self.values[self.allowed]).any())
        said = [f"Values from {low} to {high}." if finite else "No value is a finite number."]
        for infinity in (np.inf, -np.inf):
            if count := int((self.values[self.allowed] == infinity).sum()):
                is_are = "is" if count == 1 else "are"
                said.append(f"{counted(count, 'cell')} {is_are} {two(infinity)}.")
        return said

    def _sums_said(self) -> list[str]:
        sums = np.array(self.row_sums())
        with np.errstate(invalid="ignore"):
            empty = [self.queries[i] for i in np.flatnonzero(np.abs(sums) < 0.5)]
            full = int((sums >= 0.5).sum())
        said = []
        if full == len(sums):
            said.append("Every row sums to 1.00." if full > 1 else "The row sums to 1.00.")
        elif full:
            said.append(f"{counted(full, 'row')} {'sums' if full == 1 else 'sum'} to 1.00.")
        if empty:
            said.append(f"Nothing is read in {listed(empty)}: the sum is 0.00.")
        leaks = np.argwhere(~self.allowed & (self.values != 0) & ~np.isnan(self.values))
        if len(leaks):
            i, j = leaks[0]
            said.append(
                f"{counted(len(leaks), 'blocked cell')} still "
                f"{'holds' if len(leaks) == 1 else 'hold'} weight (marked !), "
                f"the first at {self.queries[i]}, {self.keys[j]}."
            )
        return said


def listed(names: list[str], most: int = 6) -> str:
    """Names as a list in a sentence, cut after `most`."""
    shown = names[:most]
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + rest

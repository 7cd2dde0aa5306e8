"""A heatmap as a value: what is drawn, before anyone decides how, and what it says."""

from dataclasses import dataclass

import numpy as np

from attn_lab.show.cells import Cell, Scale, grid
from attn_lab.show.numbers import two


def counted(n: int, noun: str) -> str:
    """Return the count with its noun: "1 cell", "3 cells"."""
    return f"{n} {noun if n == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of a noun, as most English nouns make it.

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
        """Return each row's sum over what is drawn: blocked cells of a matrix do not count."""
        drawn = self.values if self.weights else np.where(self.allowed, self.values, 0.0)
        with np.errstate(invalid="ignore", over="ignore"):  # ∞ − ∞ is shown as nan
            return [float(total) for total in drawn.sum(axis=1)]

    def blocked(self) -> int:
        return int((~self.allowed).sum())

    def sentence(self) -> str:
        """Return one line that says what is drawn, what is blocked and what the rows add to."""
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
    """Return names as a list in a sentence, cut after `most`."""
    shown = names[:most]
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown) + rest

"""How a prediction and a computed value compare: the verdict, and both beside each other in rows.

same       equal within the rounding of what is printed
close      every number within the question's tolerance
pattern    numbers only: the order and the zeros agree, the sizes do not
named      what a known mistake gives
different  none of these
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from attn_lab.course.kinds.near_misses import NearMiss

Outcome = Literal["same", "close", "pattern", "named", "different"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
AGREES = ("same", "close")
NONE = "no prediction"
HEAD = ("", "prediction", "computed", "difference")


@dataclass(frozen=True)
class Verdict:
    """How a prediction and a computed value compare, place by place.

    `near_miss` can come with "pattern" too: a mistake may leave the order as it was.
    `largest` is the largest difference between numbers, as printed with so many `decimals`.
    """

    outcome: Outcome
    agree: tuple[str, ...] = ()
    differ: tuple[str, ...] = ()
    near_miss: NearMiss | None = None
    largest: float = 0.0
    decimals: int = 3

    @property
    def agrees(self) -> bool:
        """Whether the prediction needs no second look."""
        return self.outcome in AGREES


@dataclass(frozen=True)
class Table:
    """Texts in rows; `marked` are the cells, row and column, where the two differ."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    marked: frozenset[tuple[int, int]] = frozenset()
    wrap: bool = False


@dataclass(frozen=True)
class Listed:
    """The options, with marks at the predicted and at the computed one."""

    options: Sequence[str]
    predicted: int | None
    computed: int


@dataclass(frozen=True)
class Pairs:
    """Two numbers for each label, as bars on the label's own scale; None is no prediction.

    Each row is label, prediction, computed, both as printed, and what is said of the difference.
    """

    rows: Sequence[tuple[str, float | None, float, str, str, str]]
    one_scale: bool


@dataclass(frozen=True)
class Marked:
    """A grid: in each cell whether it was predicted (None: no prediction), and was computed."""

    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[tuple[bool | None, bool]]]


@dataclass(frozen=True)
class Paper:
    """Room for an answer on paper: options to tick, one line for each row, or a grid to mark."""

    options: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    caption: str = ""


def split(places: Sequence[str], agrees: Sequence[bool]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of the places that agree, and of those that differ.

    >>> split(["key 1", "key 2"], [True, False])
    (('key 1',), ('key 2',))
    """
    named = list(zip(places, agrees, strict=True))
    return tuple(n for n, same in named if same), tuple(n for n, same in named if not same)


def sign(before: Any, same: bool) -> str:
    """The sign between two values: = or ≠ in one colour, since every result gets one form."""
    return "–" if before is None else "=" if same else "≠"

"""Numbers with a tolerance, such as a row of weights: an answer is one number for each label."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any, ClassVar

from attn_lab.course.kinds.answer import read_at, refusal, taken
from attn_lab.course.kinds.comparison import (
    HEAD,
    NONE,
    Outcome,
    Pairs,
    Paper,
    Table,
    Verdict,
    sign,
    split,
)
from attn_lab.course.kinds.near_misses import Open
from attn_lab.course.kinds.neighbours import Neighbours
from attn_lab.course.kinds.units import FORMS, Unit, unit, unknown
from attn_lab.course.loading import FieldError, Positive
from attn_lab.show.printed_numbers import decimals, number, short, two

ROUNDING = 0.005  # two decimals are printed in cells
_SUM_SLACK = 0.02 + 1e-9  # what rounding each number to two decimals may add up to
_SLACK = 1e-9  # 0.34 − 0.33 is a little more than 0.01 in floating point


class Numbers(Open, frozen=True, kw_only=True, tag="numbers"):
    """A question that is answered by numbers, equal within a tolerance or a share of each.

    `units` says what they are: one name for all of them, or one for each label.
    """

    labels: tuple[str, ...]
    tolerance: Positive
    relative: bool = False
    sums_to_one: bool = False
    units: tuple[str, ...] = ("number",)

    control: ClassVar[str] = "fields"

    def __post_init__(self) -> None:
        if len(self.units) not in (1, len(self.labels)):
            raise FieldError("units", "one name, or one for each label", list(self.units))
        if any(map(unknown, self.units)):
            raise FieldError("units", FORMS, list(self.units))
        super().__post_init__()

    @property
    def each(self) -> list[Unit]:
        """What the number of each label is; of a row that adds to 1, a weight."""
        names = ("weight",) if self.sums_to_one else self.units
        return [unit(name) for name in names * (len(self.labels) // len(names))]

    @property
    def form(self) -> str:
        """How many numbers."""
        return f"{len(self.labels)} numbers"

    def fits(self, answer: Any) -> bool:
        """Whether it is one finite number for each label; true and false are none."""
        return (
            isinstance(answer, list)
            and len(answer) == len(self.labels)
            and all(type(x) in (int, float) and abs(x) <= sys.float_info.max for x in answer)
            and not any(unit.refuses(x) for unit, x in zip(self.each, answer, strict=True))
        )

    def read(self, answer: Any) -> list[float]:
        """One number for each label, also from text such as "1/4" or "50 %"."""
        return self._read(answer, [unit.read for unit in self.each])

    def read_computed(self, value: Any) -> list[float]:
        """One number for each label, nan and infinity too."""
        return self._read(value, [float for _ in self.labels])

    def _read(self, answer: Any, reads: Sequence[Callable[[Any], float]]) -> list[float]:
        answer = taken(self, answer)
        values = answer if isinstance(answer, list) else [answer]
        if len(values) == 1 and isinstance(values[0], list):  # a matrix of one row
            values = values[0]
        if len(values) != len(self.labels):
            raise refusal(self, f"{self.form} ({', '.join(self.labels)})", answer)
        return [
            read_at(self, label, read, value)
            for label, read, value in zip(self.labels, reads, values, strict=True)
        ]

    def places(self) -> list[str]:
        """The labels."""
        return list(self.labels)

    def parts(self, answer: list[float]) -> list[float]:
        """The numbers themselves."""
        return answer

    def spelled(self, answer: Any) -> str:
        """The numbers with up to four digits, whole ones with all of theirs."""
        return ", ".join(map(short, answer))

    def in_data(self, answer: list[float]) -> list[float | str]:
        """The numbers as printed: further decimals would be this machine's; nan is spelled."""
        return [
            (round(x, digits) + 0.0 if digits else round(x)) if math.isfinite(x) else str(x)
            for x, digits in zip(answer, self._digits(answer), strict=True)
        ]

    def pairs(self, answer: list[float]) -> list[tuple[str, str]]:
        """Each label with its number."""
        return list(zip(self.labels, map(short, answer), strict=True))

    def in_code(self) -> str:
        """A list with a name for each number."""
        return f"[{', '.join(self.labels)}]" if self.labels[1:] else "[…]"

    def dots(self) -> str:
        """What a lone number stands for; several have their names in the code."""
        return "" if self.labels[1:] else f"Numbers for: {', '.join(self.labels)}."

    def on_paper(self) -> Paper:
        """One line for each number, and one for their sum."""
        total = ("sum (should be 1)",) if self.sums_to_one else ()
        return Paper(rows=(*self.asked, *total))

    @property
    def asked(self) -> tuple[str, ...]:
        """What each field asks for: beside a map "key 1" is enough, beside a field it is not."""
        if not self.sums_to_one:
            return self.labels
        return tuple(f"weight of {label}" for label in self.labels)

    @property
    def placeholders(self) -> list[str]:
        """What each field takes, never an example that could be the answer."""
        return [unit.placeholder for unit in self.each]

    def read_entry(self, place: int, text: str) -> float:
        """The number that was typed."""
        return self.each[place].read(text)

    def heard(self, place: int, text: str) -> str:
        """How an entry was read that says it in another way, such as "50 %"; else ""."""
        return self.each[place].heard(text)

    def from_entries(self, found: list[float]) -> list[float]:
        """The numbers, as they are."""
        return found

    def entries(self, answer: list[float]) -> list[str]:
        """The numbers to their last digit."""
        return [repr(value).removesuffix(".0") for value in answer]

    def difference(self, one: Sequence[float], other: Sequence[float]) -> float:
        """The largest difference of two numbers at one place, in tolerances."""
        if len(one) != len(other):
            return math.inf
        reach = (self.tolerance * self._unit(b) + _SLACK for b in other)
        return max((abs(a - b) / r for a, b, r in zip(one, other, reach, strict=True)), default=0.0)

    def centres(self, answers: Iterable[Sequence[float]]) -> dict[Any, Any]:
        """For each answer the first centre within its reach; who finds none becomes a centre."""
        kept, centre = Neighbours(), {}
        for place, answer in enumerate(answers):
            steps = [self._step(each) for each in answer]
            beside = sorted(kept.near(steps))
            centre[answer] = next((c for _, c in beside if self.difference(answer, c) <= 1), answer)
            if centre[answer] is answer:
                kept.add(steps, (place, answer))
        return centre

    def _step(self, value: float) -> int:
        """Which of the steps along the numbers this is: those within reach are 1 apart at most.

        A share of a number is the same distance everywhere on a logarithm, whose slack is at zero.
        """
        if not self.relative:
            return math.floor(value / (self.tolerance + 2 * _SLACK))
        if self.tolerance >= 1:
            return 0
        along = math.log1p(abs(value) * self.tolerance / _SLACK)
        width = -math.log1p(-self.tolerance) + _SLACK
        return math.floor(math.copysign(along, value) / width)

    def rounded(self, answer: Sequence[float]) -> list[int]:
        """The numbers in steps of the tolerance."""
        step = 0.01 if self.relative else self.tolerance
        return [round(each / step) for each in answer]

    def _unit(self, value: float) -> float:
        return abs(value) if self.relative else 1.0

    @property
    def _comparable(self) -> bool:
        """Whether one number of an answer may be held against another: a width and a factor not."""
        return len({unit.name for unit in self.each}) == 1

    def _digits(self, *answers: Sequence[float]) -> list[int]:
        """The decimals at each place, the same wherever the unit is the same."""
        units = [unit.name for unit in self.each]
        values = [(name, x) for answer in answers for name, x in zip(units, answer, strict=True)]
        return [decimals([x for name, x in values if name == unit]) for unit in units]

    def compare(self, predicted: list[float], computed: list[float]) -> Verdict:
        """The verdict by tolerance, then by order and zeros, then by the nearest known mistake."""
        apart = [abs(one - other) for one, other in zip(predicted, computed, strict=True)]
        reach = [self.tolerance * self._unit(c) for c in computed]
        rounding = [ROUNDING * self._unit(c) for c in computed]
        # `not (a <= b)` and `a > b` differ for nan: a computed nan agrees with no prediction
        # and a computed infinity with none either, though a share of it is as large
        near = [d <= r + _SLACK and math.isfinite(d) for d, r in zip(apart, reach, strict=True)]
        exact = [d <= min(r, x) + _SLACK for d, r, x in zip(apart, reach, rounding, strict=True)]
        agree, differ = split(self.places(), near)
        largest = max(apart, key=lambda each: math.inf if math.isnan(each) else each)
        digits = self._digits(computed, predicted)[apart.index(largest)]
        if all(near):
            outcome: Outcome = "same" if all(exact) else "close"
            return Verdict(outcome, agree, differ, None, largest, digits)
        miss = self.near_miss(predicted)
        outcome = "named" if miss else "different"
        if self._comparable and _same_pattern(predicted, computed):
            outcome = "pattern"
        return Verdict(outcome, agree, differ, miss, largest, digits)

    def beside(self, predicted: Any, computed: Any, verdict: Verdict | None) -> Table:
        """One row for each number, those of one unit with the same decimals."""
        digits = self._digits(computed, *filter(None, [predicted]))
        agree = verdict.agree if verdict else ()
        rows = []
        for n, (label, places) in enumerate(zip(self.labels, digits, strict=True)):
            before, after = predicted[n] if predicted else None, number(computed[n], places)
            if before is None:
                rows.append([label, NONE, after, "–"])
                continue
            said = sign(before, label in agree)
            apart = before - computed[n]
            size = number(abs(apart), places)
            if math.isfinite(apart) and float(size) != 0:
                said += f" too {'low' if apart < 0 else 'high'} by {size}"
            rows.append([label, number(before, places), after, said])
        return Table(HEAD, rows)

    def drawn(self, predicted: Any, computed: Any, verdict: Verdict | None) -> Pairs:
        """Paired bars with both numbers."""
        before = predicted or [None] * len(self.labels)
        rows = [
            (label, said, found, *texts)
            for (label, *texts), said, found in zip(
                self.beside(predicted, computed, verdict).rows, before, computed, strict=True
            )
        ]
        return Pairs(rows, self._comparable)

    def remark(self, predicted: list[float]) -> str:
        """What a row of weights adds to, where that is not 1."""
        if not self.sums_to_one or abs(sum(predicted) - 1) <= _SUM_SLACK:
            return ""
        return f"The predicted numbers add to {two(sum(predicted))}; a row of weights adds to 1."

    def stand_in(self) -> list[float]:
        """Equal shares, or a half for each."""
        if self.sums_to_one:
            return [round(1 / len(self.labels), 2)] * len(self.labels)
        return [1.0 if unit.name == "count" else 0.5 for unit in self.each]


def _same_pattern(predicted: list[float], computed: list[float]) -> bool:
    # Two numbers in order say little more than one; without any step there is no order to be right.
    if not all(map(math.isfinite, computed)) or len(set(computed)) < 2:
        return False
    signs = zip(map(_sign, predicted), map(_sign, computed), strict=True)
    steps = zip(combinations(predicted, 2), combinations(computed, 2), strict=True)
    return all(a == b for a, b in signs) and all(
        _sign(p - q) == _sign(c - d) for (p, q), (c, d) in steps
    )


def _sign(value: float) -> int:
    return 0 if abs(value) <= _SLACK else int(math.copysign(1, value))

"""What the kinds have in common whose right answer is computed: wrong ones are near misses."""

from __future__ import annotations

import math
import random
from typing import Any, ClassVar

import msgspec

from attn_lab.course.kinds.comparison import Verdict
from attn_lab.course.kinds.question import Group, Question
from attn_lab.course.loading import Checked, FieldError


class NearMiss(Checked, frozen=True):
    """An answer that a known mistake gives; `mistake` names it in `attn_lab.grade.mistakes`."""

    name: str
    value: list
    sentence: str
    misconception: str | None = None
    mistake: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.mistake is not None and not self.mistake.isidentifier():
            raise FieldError("mistake", "a name such as mask_after_softmax", self.mistake)


class Open(Question, frozen=True, kw_only=True):
    """A question whose right answer is computed; wrong ones that have a name are near misses."""

    near_misses: tuple[NearMiss, ...] = msgspec.field(default=(), name="near_miss")

    named_in: ClassVar[str] = "near_miss"

    def __post_init__(self) -> None:
        super().__post_init__()
        names: list[str] = []
        values: list[Any] = []
        for place, miss in enumerate(self.near_misses, start=1):
            if not self.fits(miss.value):
                raise FieldError("value", self.form, miss.value, f"near_miss {place}")
            if miss.name in names or miss.value in values:
                raise FieldError(
                    "name", "a name and a value of its own", miss.name, f"near_miss {place}"
                )
            names.append(miss.name)
            values.append(miss.value)

    @property
    def named(self) -> tuple[NearMiss, ...]:
        """The near misses."""
        return self.near_misses

    def groups(self) -> list[Group]:
        """The near misses, by their values."""
        return [
            Group(miss.name, self.spelled(miss.value), miss.name, miss.misconception)
            for miss in self.near_misses
        ]

    def group_of(self, answer: Any) -> Group | None:
        """The near miss that this answer is within the tolerance."""
        miss = self.near_miss(answer)
        return self.groups()[self.near_misses.index(miss)] if miss else None

    def near_miss(self, answer: Any) -> NearMiss | None:
        """The nearest near miss within the tolerance."""
        apart = [
            (self.difference(answer, miss.value), place)
            for place, miss in enumerate(self.near_misses)
        ]
        nearest, place = min(apart, default=(math.inf, 0))
        return self.near_misses[place] if nearest <= 1 else None

    def sentence(self, predicted: Any, verdict: Verdict) -> str:
        """That of the near miss."""
        return verdict.near_miss.sentence if verdict.near_miss else ""

    def misconception(self, predicted: Any, verdict: Verdict) -> str | None:
        """That of the near miss."""
        return verdict.near_miss.misconception if verdict.near_miss else None

    def invented(self, draw: random.Random, popular: Any = None) -> Any:
        """A near miss or, more often, what most people give."""
        choices = [self.stand_in() if popular is None else popular]
        choices += [miss.value for miss in self.near_misses]
        return draw.choices(choices, [3] + [2] * len(self.near_misses))[0]

    def stand_in(self) -> Any:
        """An answer of the right form, since the computed one is not in the data."""
        raise NotImplementedError

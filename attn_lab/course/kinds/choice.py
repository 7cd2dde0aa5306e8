"""One of several options: all answers are in the data, and none is marked as the right one."""

from __future__ import annotations

import random
from typing import Any, ClassVar

import msgspec

from attn_lab.course.kinds.answer import refusal, taken
from attn_lab.course.kinds.comparison import HEAD, NONE, Listed, Paper, Table, Verdict, sign
from attn_lab.course.kinds.question import Group, Question
from attn_lab.course.loading import Checked, FieldError, check_key


class Option(Checked, frozen=True):
    """One answer of a choice."""

    key: str
    text: str
    sentence: str
    misconception: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_key("key", self.key)


class Choice(Question, frozen=True, kw_only=True, tag="choice"):
    """A question that is answered by one of its options; an answer is the option's key."""

    options: tuple[Option, ...] = msgspec.field(name="option")

    control: ClassVar[str] = "options"
    closed: ClassVar[bool] = True
    named_in: ClassVar[str] = "option"

    def __post_init__(self) -> None:
        super().__post_init__()
        for place, option in enumerate(self.options, start=1):
            others = self.options[: place - 1]
            if any(option.key == other.key or option.text == other.text for other in others):
                expected = "a key and a text of its own"
                raise FieldError("key", expected, option.key, f"option {place}")
        if len(self.options) < 2:
            raise FieldError("option", "at least two options", len(self.options))
        if all(option.misconception for option in self.options):
            expected = "an option without a misconception: one is right"
            raise FieldError("option", expected, "none")

    def option(self, key: str) -> Option:
        """The option with this key."""
        return next(option for option in self.options if option.key == key)

    @property
    def form(self) -> str:
        """The keys, one of which is an answer."""
        return "one of " + ", ".join(f'"{option.key}"' for option in self.options)

    def fits(self, answer: Any) -> bool:
        """Whether it is an option's key."""
        return isinstance(answer, str) and any(option.key == answer for option in self.options)

    def read(self, answer: Any) -> str:
        """An option's key."""
        answer = taken(self, answer)
        if not self.fits(answer):
            raise refusal(self, self.form, answer)
        return answer

    def spelled(self, answer: Any) -> str:
        """The option's text; a key that is no longer in the data stands for itself."""
        return next((o.text for o in self.options if o.key == answer), str(answer))

    def pairs(self, answer: Any) -> list[tuple[str, str]]:
        """The option's text in quotation marks."""
        return [("", f"“{self.option(answer).text}”")]

    def in_code(self) -> str:
        """A string."""
        return '"…"'

    def dots(self) -> str:
        """Each key with its text."""
        return "\n".join(f'"{each.key}": {each.text}' for each in self.options)

    def on_paper(self) -> Paper:
        """The options, to be ticked."""
        return Paper(options=tuple(option.text for option in self.options))

    @property
    def named(self) -> tuple[Option, ...]:
        """All options."""
        return self.options

    def groups(self) -> list[Group]:
        """All options, the right one too."""
        return [Group(o.key, o.text, "", o.misconception) for o in self.options]

    def group_of(self, answer: Any) -> Group | None:
        """The option itself."""
        return next((group for group in self.groups() if group.key == answer), None)

    @property
    def sure_key(self) -> str | None:
        """The one option without a misconception, if there is only one."""
        sure = [option.key for option in self.options if option.misconception is None]
        return sure[0] if len(sure) == 1 else None

    def beside(self, predicted: Any, computed: Any, verdict: Verdict | None) -> Table:
        """Both texts, one below the other."""
        said = NONE if predicted is None else self.written(predicted)
        values = (said, self.written(computed), sign(predicted, predicted == computed))
        return Table(("", "answer"), list(zip(HEAD[1:], values, strict=True)), wrap=True)

    def drawn(self, predicted: Any, computed: Any, verdict: Verdict | None) -> Listed:
        """The list of options with both marks."""
        keys = [option.key for option in self.options]
        said = None if predicted is None else keys.index(predicted)
        return Listed([option.text for option in self.options], said, keys.index(computed))

    def alone(self, computed: Any) -> Table:
        """The option's text."""
        return Table(("", "answer"), [("computed", self.written(computed))], wrap=True)

    def sentence(self, predicted: Any, verdict: Verdict) -> str:
        """The option's sentence as a word about the answer: who reads it has just given it."""
        said = self.option(predicted).sentence
        return said.replace("Someone who picks this", "This is the answer of someone who", 1)

    def misconception(self, predicted: Any, verdict: Verdict) -> str | None:
        """The option's own, whatever came out."""
        return self.option(predicted).misconception

    def invented(self, draw: random.Random, popular: Any = None) -> Any:
        """An option, those without a misconception more often."""
        weights = [3 if option.misconception is None else 2 for option in self.options]
        return draw.choices([option.key for option in self.options], weights)[0]

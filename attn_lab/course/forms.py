"""What a question, an option, a near miss, a misconception and a notebook are made of."""

from dataclasses import dataclass

KINDS = ("choice", "numbers", "cells", "shape")
DEPTHS = ("class", "core", "extra")


@dataclass(frozen=True)
class Misconception:
    """A rule that works somewhere, and is followed where it does not."""

    id: str
    name: str
    rule: str
    holds: str
    check: str


@dataclass(frozen=True)
class Option:
    """One answer of a choice; none is marked as the right one."""

    key: str
    text: str
    sentence: str
    misconception: str | None = None


@dataclass(frozen=True)
class NearMiss:
    """An answer that a known mistake gives; `mistake` names it in `attn_lab.grade.mistakes`."""

    name: str
    value: list
    sentence: str
    misconception: str | None = None
    mistake: str | None = None


@dataclass(frozen=True)
class Question:
    """One prediction: what is asked, how it is answered and what is said afterwards."""

    id: str
    kind: str
    prompt: str
    depth: str
    statements: tuple[str, ...]
    minutes: float
    explanation: str
    discuss: bool = False
    options: tuple[Option, ...] = ()
    labels: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    cell: str = "reads"
    tolerance: float = 0.0
    relative: bool = False
    sums_to_one: bool = False
    near_misses: tuple[NearMiss, ...] = ()
    ask_next: str = ""
    picture: str = ""

    @property
    def notebook(self) -> str:
        """The number of its notebook, "05" for "05/first-row"."""
        return self.id.split("/")[0]

    @property
    def variable(self) -> str:
        """What a notebook calls it, `first_row` for "05/first-row"."""
        return self.id.split("/")[1].replace("-", "_")

    def option(self, key: str) -> Option:
        """Returns the option with this key."""
        return next(option for option in self.options if option.key == key)


@dataclass(frozen=True)
class Notebook:
    """What a notebook says about itself, and its questions in their order."""

    number: str
    title: str
    question: str
    minutes: float
    summary: tuple[str, ...]
    questions: tuple[Question, ...] = ()

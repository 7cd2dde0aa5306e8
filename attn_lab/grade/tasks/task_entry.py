"""What a task's grader is made of: the inputs it tries, the right function, the known mistakes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from attn_lab.grade.mistakes import Mistake

Functions = tuple[Callable[..., Any], ...]


@dataclass(frozen=True)
class Part:
    """One thing that a function returns: its name, its axes from the last back, its kind."""

    name: str
    axes: tuple[str, ...]
    kind: str = "numbers"  # or "truth"
    listed: bool = False  # whether a list of numbers will do in place of a tensor


@dataclass(frozen=True, eq=False)
class Case:
    """One input. Cases of one `stage` try the same thing, and come smallest first."""

    stage: str
    arguments: Mapping[str, Any]
    function: int = 0  # which one is called, where a task asks for several
    gradient_of: str = ""  # an argument whose gradient is compared, not the result
    may_refuse: bool = False  # a ValueError is as right as the value


@dataclass(frozen=True, eq=False)
class Known:
    """A wrong implementation with the task's own arguments, and what it stands for."""

    name: str
    misconception: str
    says: str
    functions: Functions


@dataclass(frozen=True, eq=False)
class Grader:
    """A task's grader. `parts` has what each function returns.

    `optional` has what it may take, `asked` what it must take under whatever name.
    """

    task: str
    parts: tuple[tuple[Part, ...], ...]
    cases: tuple[Case, ...]
    right: Functions
    mistakes: tuple[Known, ...]
    optional: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    besides: Callable[[Callable[..., Any]], str] | None = None  # what a right result may still lack
    lacking: Known | None = None  # the mistake where it does

    def parts_of(self, case: Case) -> tuple[Part, ...]:
        """What is compared on this input."""
        if case.gradient_of:
            return (Part(f"gradient of {case.gradient_of}", ("query", "column")),)
        return self.parts[case.function]


def known(entry: Mistake, *functions: Callable[..., Any]) -> Known:
    """An entry of the bank as a task knows it: its own code, or the functions given."""
    return Known(entry.name, entry.misconception, entry.says, functions or (entry.run,))

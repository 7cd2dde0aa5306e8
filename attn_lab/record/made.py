"""What the graders said, task by task: whether it is passed, at which try, by which mistakes."""

from collections.abc import Iterable
from dataclasses import dataclass

from attn_lab.record.attempts import TaskResult


@dataclass(frozen=True)
class Made:
    """One task: tries up to the first pass, or all of them; the mistakes met on the way."""

    task: str
    tries: int
    passed: bool
    mistakes: tuple[str, ...]
    last: TaskResult
    names: tuple[str, ...] = ()  # of the mistakes, as the learner was told them

    @property
    def way(self) -> str:
        """How it went, as the end of a sentence that begins with the task.

        >>> made([TaskResult("04/causal-mask", False, "mask_all_true")])[0].way
        'not passed yet after 1 try; met on the way: mask all true'
        """
        tries = "1 try" if self.tries == 1 else f"{self.tries} tries"
        said = f"passed after {tries}" if self.passed else f"not passed yet after {tries}"
        met = ", ".join(self.names)
        return f"{said}; met on the way: {met}" if met else said


def made(results: Iterable[TaskResult]) -> list[Made]:
    """Returns one entry for each task, in the order of their names; results come oldest first.

    A pass stays one: what was graded after it is neither a try nor a mistake.
    """
    by_task: dict[str, list[TaskResult]] = {}
    for each in results:
        by_task.setdefault(each.task, []).append(each)
    return [_one(task, by_task[task]) for task in sorted(by_task)]


def _one(task: str, results: list[TaskResult]) -> Made:
    first = next((n for n, each in enumerate(results, 1) if each.passed), 0)
    counted = results[: first or None]
    named = [each for each in counted if each.mistake]
    mistakes = tuple(dict.fromkeys(each.mistake for each in named))
    names = tuple(dict.fromkeys(map(_name, named)))
    return Made(task, len(counted), bool(first), mistakes, counted[-1], names)


def _name(result: TaskResult) -> str:
    """The mistake's name as it was shown; without one, the name that it is kept under."""
    return result.mistake_name or result.mistake.replace("_", " ")

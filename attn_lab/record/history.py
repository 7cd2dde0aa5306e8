"""What the record says: predictions that met their result, and the code that graders were given.

Of each exercise one prediction counts, the last one made before its result had been seen, as it
stood when the result came. Of each task the tries count up to the first pass.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from attn_lab.record.attempts import CONFIDENCES, Attempt, Reveal, TaskResult

AGREES = ("same", "close")


@dataclass(frozen=True)
class Compared:
    """One prediction and what was computed for it."""

    attempt: Attempt
    reveal: Reveal

    @property
    def agrees(self) -> bool:
        """Whether the computation came out as predicted."""
        return self.reveal.verdict in AGREES

    @property
    def surprise(self) -> bool:
        """Whether the learner had been certain of something else."""
        return not self.agrees and self.attempt.confidence == "certain"

    @property
    def notebook(self) -> str:
        """The number of its notebook."""
        return self.attempt.exercise.split("/")[0]


def compared(attempts: Iterable[Attempt], reveals: Iterable[Reveal]) -> list[Compared]:
    """Every unseen prediction that met its result, newest first.

    Where two were made unseen, the one that stood when the result came counts. Of its results the
    first counts: a cell that is changed and run again computes something else. Both come in the
    order in which they were saved.
    """
    unseen = {each.id: each for each in attempts if not each.seen}
    last: dict[str, Compared] = {}
    for reveal in reveals:
        attempt = unseen.pop(reveal.attempt, None)
        if attempt is None:
            continue
        before = last.get(attempt.exercise)
        if before is None or attempt.round >= before.attempt.round:
            last.pop(attempt.exercise, None)  # or it would keep its earlier place
            last[attempt.exercise] = Compared(attempt, reveal)
    return list(reversed(last.values()))


def by_confidence(found: Iterable[Compared]) -> dict[str, list[bool]]:
    """For each confidence, from certain to guess, which predictions agreed."""
    rows: dict[str, list[bool]] = {each: [] for each in reversed(CONFIDENCES)}
    for each in found:
        rows[each.attempt.confidence].append(each.agrees)
    return rows


def to_revisit(found: Iterable[Compared]) -> list[tuple[str, int, int, int]]:
    """The notebooks with predictions that differed: number, differed, compared, surprises.

    Surprises come first, then the number that differed, then the order of the course.
    """
    all_of = list(found)
    rows = []
    for number in sorted({each.notebook for each in all_of}):
        own = [each for each in all_of if each.notebook == number]
        differed = sum(not each.agrees for each in own)
        if differed:
            rows.append((number, differed, len(own), sum(each.surprise for each in own)))
    return sorted(rows, key=lambda row: (-row[3], -row[1], row[0]))


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
    """One entry for each task, in the order of their names; results come oldest first.

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

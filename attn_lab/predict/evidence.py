"""What the record says about predictions that were made before their result had been seen.

One prediction for each exercise: the last one made unseen, as it stood when its result came.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from attn_lab.record import CONFIDENCES, Attempt, Reveal

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
    """Returns every unseen prediction that met its result, newest first.

    Where two were made unseen, the one that stood when the result came counts. Of its results the
    first counts: a cell that is changed and run again computes something else.
    """
    unseen = {each.id: each for each in attempts if not each.seen}
    last: dict[str, Compared] = {}
    for reveal in reveals:
        attempt = unseen.pop(reveal.attempt, None)
        if attempt is None:
            continue
        before = last.get(attempt.exercise)
        if before is None or attempt.round >= before.attempt.round:
            last[attempt.exercise] = Compared(attempt, reveal)
    return sorted(last.values(), key=lambda each: each.reveal.time, reverse=True)


def by_confidence(found: Iterable[Compared]) -> dict[str, list[bool]]:
    """Returns for each confidence, from certain to guess, which predictions agreed."""
    rows: dict[str, list[bool]] = {each: [] for each in reversed(CONFIDENCES)}
    for each in found:
        rows[each.attempt.confidence].append(each.agrees)
    return rows


def to_revisit(found: Iterable[Compared]) -> list[tuple[str, int, int, int]]:
    """Returns notebooks with predictions that differed: number, differed, compared, surprises.

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

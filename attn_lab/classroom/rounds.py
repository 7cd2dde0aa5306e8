"""Which of a learner's answers is their vote in the first round and in the second."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from attn_lab.classroom.votes import Vote, from_answers
from attn_lab.course.forms import Question

Row = dict[str, Any]


@dataclass(frozen=True)
class Rounds:
    """The rows that count, by learner, and how many learners had seen the result before."""

    first: dict[str, Row]
    second: dict[str, Row]
    seen: tuple[int, int]

    def votes(self, question: Question) -> tuple[list[Vote], list[Vote]]:
        """Returns the votes of both rounds; answers alike are grouped over both."""
        rows = [*self.first.values(), *self.second.values()]
        votes = from_answers(question, [(row["answer"], row["confidence"]) for row in rows])
        return votes[: len(self.first)], votes[len(self.first) :]


def rounds_of(rows: Iterable[Row]) -> Rounds:
    """Returns the votes among the rows of one exercise, given in the order in which they came.

    The first round is a learner's first answer; the second is the last one after it, however often
    they changed their mind. An answer given after its result was seen is practice and counts in
    neither. The round is the learner's own count, so an answer that comes late counts where it
    belongs.
    """
    first: dict[str, Row] = {}
    second: dict[str, Row] = {}
    practised: tuple[set[str], set[str]] = (set(), set())
    for row in rows:
        who = row["learner"]
        if row["seen"]:
            practised[row["round"] > 1].add(who)
        elif row["round"] == 1:
            first.setdefault(who, row)
        elif who not in second or row["round"] >= second[who]["round"]:
            second[who] = row
    return Rounds(first, second, (len(practised[0]), len(practised[1])))

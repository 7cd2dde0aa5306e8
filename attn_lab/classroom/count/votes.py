"""One person's vote in a round: sent by a notebook, read from a chat, or a raised hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from attn_lab.course.codes import Decoded, fingerprint
from attn_lab.course.kinds import UNNAMED, Group, Question
from attn_lab.course.kinds.answer import frozen

Row = dict[str, Any]  # of the class's database: one answer
COMPUTED = Group("computed", "as computed", "what the picture must show")  # for raised hands
OTHER = Group(UNNAMED, "another answer")
# which vote was open when an answer came: none yet, one of the two, or none any more
OWN_PACE, FIRST, SECOND, LATE = "own", "first", "second", "late"


@dataclass(frozen=True)
class Vote:
    """One person's answer in one round; a raised hand has no confidence."""

    group: Group
    confidence: str | None = None


class Grouping:
    """Which answers to one question count as one; what was found for an answer is remembered.

    A class asks at every update of a page, about the same answers and a few new ones. `right` is
    the computed answer, None where it is not known: answers within its reach count as it.
    """

    def __init__(self, question: Question, right: Any = None) -> None:
        self.question = question
        self._named: dict[Any, Group | None] = {}
        self._marks: dict[Any, str] = {}
        self._right = None if right is None else frozen(question.read_computed(right))

    @property
    def right(self) -> Group | None:
        """The group of the computed answer, None where it is not known."""
        if self._right is None:
            return None
        own = Group(self._mark(self._right), self.question.spelled(self._right))
        return self._name(self._right) or own

    def votes(
        self, answers: Sequence[tuple[Any, str]], marked: str | None = None
    ) -> tuple[list[Vote], dict[str, Group]]:
        """One vote for each (answer, confidence), and the group of each mark that a code may hold.

        Unnamed answers within reach count as the most frequent of them. The computed answer, and
        the group that `marked` is the key of, stay one, however many others come.
        """
        spoken = [frozen(answer) for answer, _ in answers]
        alike = Counter(key for key in spoken if self._name(key) is None)
        if self._right is not None and self._name(self._right) is None:
            alike[self._right] += 0  # nobody need have given it exactly
        order = sorted(
            alike,
            key=lambda key: (
                self._mark(key) != marked,
                key != self._right,
                -alike[key],
                repr(key),
            ),
        )
        centres = self.question.centres(order)
        groups: dict[Any, Group] = {}
        by_mark: dict[str, Group] = {}
        for key in order:
            centre, mark = centres[key], self._mark(key)
            if centre == key:
                label = self.question.spelled(key)
                # two answers may share a mark, which is short; a code means the more frequent one
                own = mark if mark not in by_mark else f"{mark} {label}"
                groups[key] = Group(own, label)
            by_mark.setdefault(mark, groups[centre])
        votes = [
            Vote(self._name(key) or groups[centres[key]], sure)
            for key, (_, sure) in zip(spoken, answers, strict=True)
        ]
        return votes, by_mark

    def _name(self, key: Any) -> Group | None:
        if key not in self._named:
            self._named[key] = self.question.group_of(key)
        return self._named[key]

    def _mark(self, key: Any) -> str:
        if key not in self._marks:
            self._marks[key] = UNNAMED + fingerprint(self.question, key)
        return self._marks[key]


def from_codes(
    codes: Iterable[Decoded], exercise: str, round: int, by_mark: Mapping[str, Group] | None = None
) -> list[Vote]:
    """The votes that a pasted chat holds for one exercise and round.

    `by_mark` holds the groups in which notebooks' answers count, by the mark that a code has.
    """
    known = by_mark or {}
    return [
        Vote(known.get(code.group.key, code.group), code.confidence)
        for code in codes
        if code.exercise == exercise and code.round == round
    ]


def hand_groups(question: Question) -> list[Group]:
    """The answers for which hands are counted.

    Only a choice has the computed answer among its named ones.
    """
    named = question.groups()
    return named if question.closed else [COMPUTED, *named]


def from_hands(
    question: Question, counts: dict[str, int], computed: Group = COMPUTED
) -> list[Vote]:
    """A vote for each hand that was counted; a key without a name counts as "other".

    `computed` is the group of those who raised it for the computed answer.
    """
    groups = {group.key: group for group in question.groups()} | {COMPUTED.key: computed}
    return [Vote(groups.get(key, OTHER)) for key, count in counts.items() for _ in range(count)]


@dataclass(frozen=True)
class Rounds:
    """The rows that count in each vote, by learner, those that came late, and who practised."""

    first: dict[str, Row]
    second: dict[str, Row]
    late: dict[str, Row]
    practised: int

    def votes(
        self, grouping: Grouping, marked: str | None = None
    ) -> tuple[tuple[list[Vote], list[Vote], list[Vote]], dict[str, Group]]:
        """The votes of both rounds and the late ones, grouped together, and `by_mark`."""
        rows = [*self.first.values(), *self.second.values(), *self.late.values()]
        answers = [(row["answer"], row["confidence"]) for row in rows]
        votes, by_mark = grouping.votes(answers, marked)
        one, two = len(self.first), len(self.first) + len(self.second)
        return (votes[:one], votes[one:two], votes[two:]), by_mark


def rounds_of(rows: Iterable[Row]) -> Rounds:
    """The votes among the rows of one exercise, given in the order in which they came.

    A round is the room's: `vote` says which vote was open when a row came. In each vote a learner's
    last answer counts, once. What came at the learner's own pace, before any vote, counts in the
    first. An answer given after its result was seen is practice and counts in neither.

    A row of a class before votes were noted has none: its round is the learner's own count, the
    first answer and the last one after it.
    """
    first: dict[str, Row] = {}
    second: dict[str, Row] = {}
    late: dict[str, Row] = {}
    practised: set[str] = set()
    for row in rows:
        who, vote = row["learner"], row["vote"]
        if row["seen"]:
            practised.add(who)
        elif vote == LATE:
            late[who] = row
        elif vote == SECOND:
            second[who] = row
        elif vote in (OWN_PACE, FIRST):
            first[who] = row
        elif row["round"] == 1:
            first.setdefault(who, row)
        elif who not in second or row["round"] >= second[who]["round"]:
            second[who] = row
    return Rounds(first, second, late, len(practised))

"""One person's vote in a round: sent by a notebook, read from a chat, or a raised hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from attn_lab.course.codes import Decoded, fingerprint
from attn_lab.course.kinds import UNNAMED, Group, Question
from attn_lab.course.kinds.answer import frozen

Row = dict[str, Any]  # of the class's database: one answer
COMPUTED = Group("computed", "as computed", "what the picture must show")  # for raised hands
OTHER = Group(UNNAMED, "another answer")


@dataclass(frozen=True)
class Vote:
    """One person's answer in one round; a raised hand has no confidence."""

    group: Group
    confidence: str | None = None


def from_answers(question: Question, answers: Sequence[tuple[Any, str]]) -> list[Vote]:
    """One vote for each (answer, confidence); unnamed answers within reach count as one."""
    named = [question.group_of(answer) for answer, _ in answers]
    spoken = [frozen(answer) for answer, _ in answers]
    alike = Counter(key for key, group in zip(spoken, named, strict=True) if group is None)
    centres: dict[Any, Group] = {}
    of: dict[Any, Group] = {}
    for key in sorted(alike, key=lambda key: (-alike[key], repr(key))):
        # the most frequent answer names those within its reach
        near = next((c for c in centres if question.difference(key, c) <= 1), key)
        if near is key:
            mark = UNNAMED + fingerprint(question, key)
            centres[key] = Group(mark, question.spelled(key))
        of[key] = centres[near]
    return [
        Vote(group or of[key], sure)
        for group, key, (_, sure) in zip(named, spoken, answers, strict=True)
    ]


def from_codes(codes: Iterable[Decoded], exercise: str, round: int) -> list[Vote]:
    """The votes that a pasted chat holds for one exercise and round."""
    return [
        Vote(code.group, code.confidence)
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
    """The rows that count, by learner, and how many learners had seen the result before."""

    first: dict[str, Row]
    second: dict[str, Row]
    seen: tuple[int, int]

    def votes(self, question: Question) -> tuple[list[Vote], list[Vote]]:
        """The votes of both rounds; answers alike are grouped over both."""
        rows = [*self.first.values(), *self.second.values()]
        votes = from_answers(question, [(row["answer"], row["confidence"]) for row in rows])
        return votes[: len(self.first)], votes[len(self.first) :]


def rounds_of(rows: Iterable[Row]) -> Rounds:
    """The votes among the rows of one exercise, given in the order in which they came.

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

"""One vote, wherever it came from, and answers of any kind turned into votes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from attn_lab.course.answer_groups import (
    UNNAMED,
    Group,
    difference,
    frozen,
    named_group,
    named_groups,
    spelled,
)
from attn_lab.course.forms import Question
from attn_lab.course.response_codes import Decoded, fingerprint

COMPUTED = Group("computed", "as computed", "what the picture must show")  # for raised hands
OTHER = Group(UNNAMED, "another answer")


@dataclass(frozen=True)
class Vote:
    """One person's answer in one round; a raised hand has no confidence."""

    group: Group
    confidence: str | None = None


def from_answers(question: Question, answers: Sequence[tuple[Any, str]]) -> list[Vote]:
    """Returns one vote for each (answer, confidence); unnamed answers within reach count as one."""
    named = [named_group(question, answer) for answer, _ in answers]
    spoken = [frozen(answer) for answer, _ in answers]
    alike = Counter(key for key, group in zip(spoken, named, strict=True) if group is None)
    centres: dict[Any, Group] = {}
    of: dict[Any, Group] = {}
    for key in sorted(alike, key=lambda key: (-alike[key], repr(key))):
        # the most frequent answer names those within its reach
        near = next((c for c in centres if difference(question, key, c) <= 1), key)
        if near is key:
            mark = UNNAMED + fingerprint(question, key)
            centres[key] = Group(mark, spelled(question, key))
        of[key] = centres[near]
    return [
        Vote(group or of[key], sure)
        for group, key, (_, sure) in zip(named, spoken, answers, strict=True)
    ]


def from_codes(codes: Iterable[Decoded], exercise: str, round: int) -> list[Vote]:
    """Returns the votes that a pasted chat holds for one exercise and round."""
    return [
        Vote(code.group, code.confidence)
        for code in codes
        if code.exercise == exercise and code.round == round
    ]


def hand_groups(question: Question) -> list[Group]:
    """Returns the answers for which hands are counted.

    Only a choice has the computed answer among its named ones.
    """
    named = named_groups(question)
    return named if question.kind == "choice" else [COMPUTED, *named]


def from_hands(
    question: Question, counts: dict[str, int], computed: Group = COMPUTED
) -> list[Vote]:
    """Returns a vote for each hand that was counted; a key without a name counts as "other".

    `computed` is the group of those who raised it for the computed answer.
    """
    groups = {group.key: group for group in named_groups(question)} | {COMPUTED.key: computed}
    return [Vote(groups.get(key, OTHER)) for key, count in counts.items() for _ in range(count)]

"""One exercise's votes from every source: sent by notebooks, pasted codes, raised hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from attn_lab.classroom.count.spread import HIDE_BELOW, Spread, spread
from attn_lab.classroom.count.votes import (
    COMPUTED,
    Grouping,
    Row,
    Vote,
    from_codes,
    from_hands,
    hand_groups,
    rounds_of,
)
from attn_lab.course.codes import Decoded
from attn_lab.course.kinds import Question

# Peer instruction's bands: mostly right is not worth the talk, mostly wrong has no one to explain.
GO_ON, DISCUSS = 0.8, 0.3

SHARE_FROM = HIDE_BELOW  # votes; of one or two people a share would be about somebody
FEW_VOTES = 10  # below, people are counted: "2 of 6", not "33 %"
NOT_SHOWN = "none of these"  # the key of a computed answer that has no bar
TOO_FEW = f"A share as computed is said from {SHARE_FROM} votes on."
WHO_IS_TOLD = (
    f"{TOO_FEW} A count of one or two people is not shown, so that no answer is known as theirs."
)

SOURCES = ("sent", "codes", "hands")
Votes = dict[str, list[Vote]]  # of one round, by source


@dataclass(frozen=True)
class Given:
    """All that was given to one exercise, as it is counted.

    `hands` holds counts by option, by round; `marked` is the key of the computed answer's bar.
    """

    grouping: Grouping
    rows: Sequence[Row] = ()
    codes: Sequence[Decoded] = ()
    hands: Mapping[str, dict[str, int]] = field(default_factory=dict)
    marked: str | None = None


@dataclass(frozen=True)
class Tally:
    """The spread of both rounds, where the votes came from in each, and what does not count.

    `late` came after the vote was closed; who `practised` had seen the result before.
    """

    spread: Spread
    sources: tuple[dict[str, int], dict[str, int]]
    sizes: tuple[Counter[str], Counter[str]]
    late: int
    practised: int

    def share(self, key: str | None, round: int) -> float | None:
        """The share of a round (0 or 1) that gave this answer, None below `SHARE_FROM` votes.

        Few who are right may be told: it says of nobody what they answered wrongly. Of a computed
        answer that has no bar it is the most that it can be.
        """
        everyone = self.spread.answered[round]
        if key is None or everyone < SHARE_FROM:
            return None
        if key == NOT_SHOWN:
            return 1 - sum(self.sizes[round][bar.key] for bar in self.spread.bars) / everyone
        return self.sizes[round][key] / everyone

    def share_said(self, key: str | None, round: int) -> str:
        """The same in words: a share of the room, or of few people their number, "" for none."""
        share, everyone = self.share(key, round), self.spread.answered[round]
        if share is None:
            return ""
        few = f"{share * everyone:.0f} of {everyone}"
        most = "At most " if key == NOT_SHOWN else ""
        return f"{most}{few if everyone < FEW_VOTES else f'{100 * share:.0f} %'} as computed."


def tally(given: Given) -> Tally:
    """Both rounds of one exercise."""
    votes = by_source(given)
    rounds = rounds_of(given.rows)
    # everybody in the room has seen the hands: there is nothing to hide where only they count
    only_hands = not any(each["sent"] or each["codes"] for each in votes[:2])
    first, second = ({name: len(each[name]) for name in SOURCES} for each in votes[:2])
    everybody = [list(chain.from_iterable(each.values())) for each in votes[:2]]
    told = spread(given.grouping.question, everybody, hide_below=1 if only_hands else HIDE_BELOW)
    one, two = (Counter(vote.group.key for vote in each) for each in everybody)
    return Tally(told, (first, second), (one, two), len(rounds.late), rounds.practised)


def by_source(given: Given) -> tuple[Votes, Votes, Votes]:
    """The votes of both rounds and those that came late, by their source.

    Hands for the computed answer count with the bar that the instructor marked as it, else with
    the computed answer, if it is known.
    """
    question = given.grouping.question
    sent, by_mark = rounds_of(given.rows).votes(given.grouping, given.marked)
    coded = [from_codes(given.codes, question.id, n, by_mark) for n in (1, 2)]
    groups = {vote.group.key: vote.group for vote in chain(*sent, *coded)}
    computed = groups.get(given.marked or "", given.grouping.right or COMPUTED)
    raised = [from_hands(question, given.hands.get(str(n), {}), computed) for n in (1, 2)]
    first, second, late = (
        dict(zip(SOURCES, each, strict=True))
        for each in zip(sent, [*coded, []], [*raised, []], strict=True)
    )
    return first, second, late


def advice(share: float | None, *, discuss: bool = True, again: bool = False) -> str:
    """What the rule of thumb says about a share of answers that equal the computed one.

    A question that is not discussed has one vote, and after the second there is no third.

    >>> advice(0.5)
    'Between: discuss, vote again, then run.'
    """
    if again:
        return "Second vote: when all are in, run."
    if not discuss:
        return "Solo: when all are in, run, one sentence, go on."
    if share is None:
        return ""
    if share > GO_ON:
        return "Mostly as computed: reveal, one sentence, go on."
    if share >= DISCUSS:
        return "Between: discuss, vote again, then run."
    return "Mostly another answer: give the sheet's hint, vote again alone."


def computed_key(given: Given) -> str | None:
    """The key of the answer that counts as computed: as the instructor marked, else as is known.

    A choice with one option that stands for no misconception leaves no doubt. The other kinds
    need the reference edition's result; where that is missing, hands may be raised for it.
    """
    if given.marked is not None:
        return given.marked
    if given.grouping.right is not None:
        return given.grouping.right.key
    if given.grouping.question.sure_key is not None:
        return given.grouping.question.sure_key
    counted = any(COMPUTED.key in counts for counts in given.hands.values())
    return COMPUTED.key if counted else None


def known_hands(question: Question, counts: Any) -> dict[str, int]:
    """Counts of hands that make sense.

    Raises: ValueError for keys that the question does not have and for counts that no room has.
    """
    keys = {group.key for group in hand_groups(question)}
    if not isinstance(counts, dict) or set(counts) - keys - {"other"}:
        raise ValueError(f"counts: expected numbers for {sorted(keys)} or 'other'.")
    if not all(type(count) is int and 0 <= count <= 999 for count in counts.values()):
        raise ValueError("counts: expected whole numbers from 0 to 999.")
    return counts

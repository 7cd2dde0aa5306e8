"""One exercise's votes from every source: sent by notebooks, pasted codes, raised hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from attn_lab.classroom.count.spread import HIDE_BELOW, Spread, spread
from attn_lab.classroom.count.votes import (
    COMPUTED,
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

SOURCES = ("sent", "codes", "hands")
Votes = dict[str, list[Vote]]  # of one round, by source


@dataclass(frozen=True)
class Tally:
    """The spread of both rounds, and where the votes came from in each."""

    spread: Spread
    sources: tuple[dict[str, int], dict[str, int]]
    practised: tuple[int, int]

    def share(self, key: str | None, round: int) -> float | None:
        """The share of a round (0 or 1) that gave this answer, None where it is hidden."""
        counts = {bar.key: bar.counts[round] for bar in self.spread.bars}
        count, everyone = counts.get(key or ""), self.spread.answered[round]
        return None if count is None or not everyone else count / everyone


def tally(
    question: Question,
    rows: Sequence[Row],
    codes: Sequence[Decoded],
    hands: Mapping[str, dict[str, int]],
    marked: str | None = None,
) -> Tally:
    """Both rounds of one exercise; `hands` holds counts by option, by round.

    Hands for the computed answer count with the bar that the instructor marked as it, if any.
    """
    votes = by_source(question, rows, codes, hands, marked)
    # everybody in the room has seen the hands: there is nothing to hide where only they count
    only_hands = not any(given["sent"] or given["codes"] for given in votes)
    first, second = ({name: len(given[name]) for name in SOURCES} for given in votes)
    everybody = [list(chain.from_iterable(given.values())) for given in votes]
    told = spread(question, everybody, hide_below=1 if only_hands else HIDE_BELOW)
    return Tally(told, (first, second), rounds_of(rows).seen)


def by_source(
    question: Question,
    rows: Sequence[Row],
    codes: Sequence[Decoded],
    hands: Mapping[str, dict[str, int]],
    marked: str | None = None,
) -> tuple[Votes, Votes]:
    """The votes of both rounds by their source, as `tally` counts them."""
    sent = rounds_of(rows).votes(question)
    coded = [from_codes(codes, question.id, n) for n in (1, 2)]
    groups = {vote.group.key: vote.group for vote in chain(*sent, *coded)}
    computed = groups.get(marked or "", COMPUTED)
    raised = [from_hands(question, hands.get(str(n), {}), computed) for n in (1, 2)]
    first, second = (
        dict(zip(SOURCES, each, strict=True)) for each in zip(sent, coded, raised, strict=True)
    )
    return first, second


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


def computed_key(
    question: Question, marked: str | None, hands: Mapping[str, dict[str, int]] | None = None
) -> str | None:
    """The answer that counts as computed: as the instructor marked, else what is certain.

    A choice with one option that stands for no misconception leaves no doubt; the other kinds do,
    unless hands were raised for it.
    """
    if marked is not None:
        return marked
    if question.sure_key is not None:
        return question.sure_key
    counted = any(COMPUTED.key in counts for counts in (hands or {}).values())
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

"""How a room's answers spread: at most five bars and "other", in which few people are hidden."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from attn_lab.classroom.count.votes import Vote
from attn_lab.course.codes import CONFIDENCES
from attn_lab.course.kinds import Group, Question

MOST_BARS = 5
HIDE_BELOW = 3  # an answer of one or two people is not shown as theirs
HIDDEN = "an answer"  # one that the instructor hides on the stage
SPLIT_FROM = 20  # how sure the room was is said from this many answers on


@dataclass(frozen=True)
class Bar:
    """One answer: its count in each round, None where fewer than three people gave it."""

    key: str
    label: str
    meaning: str
    misconception: str | None
    counts: tuple[int | None, ...]
    certain: tuple[int | None, ...]


@dataclass(frozen=True)
class Spread:
    """The bars of one question, "other", and how many answered in each round."""

    bars: tuple[Bar, ...]
    other: tuple[int | None, ...]
    answered: tuple[int, ...]
    sure: tuple[dict[str, int] | None, ...]

    def for_stage(
        self, *, hidden: Collection[str] = (), computed: str | None = None
    ) -> dict[str, Any]:
        """What the room may see: no meaning, no misconception, sureness in one line.

        `hidden` are the keys of bars that do not say what they stand for; `computed` is the key of
        the one that the room is told to be the computed answer.
        """
        bars = [
            {"label": HIDDEN if bar.key in hidden else bar.label, "counts": bar.counts}
            | ({"computed": True} if bar.key == computed else {})
            for bar in self.bars
        ]
        return {"bars": bars, "other": self.other, "answered": self.answered, "sure": self.sure}

    def for_desk(self) -> dict[str, Any]:
        """All of it as plain values."""
        return asdict(self)


def spread(
    question: Question, rounds: Sequence[Sequence[Vote]], *, hide_below: int = HIDE_BELOW
) -> Spread:
    """The spread of one or several rounds, each a list of votes."""
    counts = [Counter(vote.group.key for vote in votes) for votes in rounds]
    chosen = _chosen(question, rounds, hide_below)
    bars = tuple(_bar(group, counts, rounds, hide_below) for group in chosen)
    own = {group.key for group in chosen}  # also where a bar says "under 3": nobody counts twice
    other = [sum(n for key, n in count.items() if key not in own) for count in counts]
    return Spread(
        bars,
        tuple(shown(rest, hide_below=hide_below) for rest in other),
        tuple(len(votes) for votes in rounds),
        tuple(_sure(votes) for votes in rounds),
    )


def _chosen(question: Question, rounds: Sequence[Sequence[Vote]], hide_below: int) -> list[Group]:
    """The five groups that most people named, options in the order in which they were asked."""
    groups = {vote.group.key: vote.group for votes in rounds for vote in votes}
    counts = [Counter(vote.group.key for vote in votes) for votes in rounds]
    total = sum(counts, Counter())
    named = {group.key: group for group in question.groups()}
    seen = Counter({key: max(count[key] for count in counts) for key in total})
    groups = {key: group for key, group in groups.items() if seen[key] >= hide_below}
    if question.closed:  # an option that nobody took is worth seeing too
        groups = named | groups
    order = {key: place for place, key in enumerate(named)}
    by_size = sorted(groups, key=lambda key: (-total[key], order.get(key, len(order)), key))
    most = by_size[:MOST_BARS]
    if question.closed:
        most.sort(key=lambda key: order.get(key, len(order)))
    return [groups[key] for key in most]


def _bar(
    group: Group, counts: Sequence[Counter], rounds: Sequence[Sequence[Vote]], hide_below: int
) -> Bar:
    certain = (
        sum(vote.group.key == group.key and vote.confidence == "certain" for vote in votes)
        if may_split(_asked(votes)) and count[group.key] >= hide_below
        else None
        for votes, count in zip(rounds, counts, strict=True)
    )
    shown_counts = tuple(shown(count[group.key], hide_below=hide_below) for count in counts)
    return Bar(
        group.key, group.label, group.meaning, group.misconception, shown_counts, tuple(certain)
    )


def _asked(votes: Sequence[Vote]) -> int:
    """How many said how sure they were; raised hands say nothing of it."""
    return sum(vote.confidence is not None for vote in votes)


def _sure(votes: Sequence[Vote]) -> dict[str, int] | None:
    asked = [vote.confidence for vote in votes if vote.confidence]
    if not may_split(len(asked)):
        return None
    return {name: asked.count(name) for name in CONFIDENCES}


def shown(count: int, *, hide_below: int = HIDE_BELOW) -> int | None:
    """The count where it may be shown, None where it stands for too few people.

    >>> shown(3), shown(2), shown(0)
    (3, None, 0)
    """
    return None if 0 < count < hide_below else count


def in_words(count: int | None) -> str:
    """A count as it is written, `None` being what `shown` hides.

    >>> in_words(shown(3)), in_words(shown(2))
    ('3', 'under 3')
    """
    return f"under {HIDE_BELOW}" if count is None else str(count)


def may_split(answered: int) -> bool:
    """Whether a room of this size may be split by how sure it was.

    >>> may_split(20), may_split(19)
    (True, False)
    """
    return answered >= SPLIT_FROM

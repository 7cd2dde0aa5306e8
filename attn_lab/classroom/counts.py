"""How often each answer was given in each round, by where it came from: what needs no person.

Raised hands and the chat's codes belong to nobody, so no idea can be followed from one round to
the next with them; they are counted here beside what notebooks sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from attn_lab.classroom.privacy import HIDE_BELOW, in_words, shown
from attn_lab.classroom.room import Room
from attn_lab.classroom.tally import SOURCES, Votes
from attn_lab.classroom.votes import OTHER
from attn_lab.course.answer_groups import UNNAMED, Group
from attn_lab.course.forms import Question

Counted = tuple[str | int, ...]


def counts(room: Room) -> Iterator[Counted]:
    """Gives exercise, round, answer, misconception, and a count for each of the SOURCES."""
    for question in room.course.values():
        for number, votes in enumerate(room.votes(question.id), start=1):
            yield from _of_round(question, number, votes)


def _of_round(question: Question, number: int, votes: Votes) -> Iterator[Counted]:
    everywhere = [vote.group for vote in chain.from_iterable(votes.values())]
    sizes = Counter(group.key for group in everywhere)
    groups = {group.key: group for group in reversed(everywhere)}  # a notebook's words first
    rows: dict[Group, Counter[str]] = {}
    for source, given in votes.items():
        for vote in given:
            group = groups[vote.group.key]
            # an answer in somebody's own numbers could be known as theirs by the answer itself
            if group.key.startswith(UNNAMED) and sizes[group.key] < HIDE_BELOW:
                group = OTHER
            rows.setdefault(group, Counter())[source] += 1
    told = {group: {name: _told(name, n[name]) for name in SOURCES} for group, n in rows.items()}
    # in the order of what is told: the true sizes would tell one person and two apart
    largest = sorted(
        told, key=lambda group: (-sum(n or 0 for n in told[group].values()), group.key)
    )
    for group in largest:
        cells = [in_words(n) for n in told[group].values()]
        yield (question.id, number, group.label, group.misconception or "", *cells)


def _told(source: str, count: int) -> int | None:
    # everybody in the room has seen the hands; there is nothing to hide
    return count if source == "hands" else shown(count)

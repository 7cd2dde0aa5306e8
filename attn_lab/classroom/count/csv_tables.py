"""What a class answered, as tables for a spreadsheet that will not run what is in them."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from attn_lab.classroom.count.moves import told
from attn_lab.classroom.count.spread import HIDE_BELOW, in_words, shown
from attn_lab.classroom.count.tally import SOURCES, Votes, by_source, computed_key, tally
from attn_lab.classroom.count.votes import LATE, OTHER
from attn_lab.course.kinds import UNNAMED, Group, Question
from attn_lab.show.as_written import visible

if TYPE_CHECKING:
    from attn_lab.classroom.server.room import Room

Counted = tuple[str | int, ...]
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def guarded(value: Any) -> Any:
    """A cell that a spreadsheet shows and does not calculate.

    >>> guarded('=HYPERLINK("http://…")'), guarded(-0.5), guarded("a = b")
    ('\\'=HYPERLINK("http://…")', -0.5, 'a = b')
    """
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return "'" + value
    return value


def as_csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as CSV, every cell guarded, and what cannot be seen written out."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_shown(cell) for cell in row] for row in rows)
    return text.getvalue()


def _shown(cell: Any) -> Any:
    cell = guarded(cell)
    return visible(cell) if isinstance(cell, str) else cell


def answers_csv(room: Room) -> str:
    """Every answer, learners numbered in the order in which they first answered.

    This is not hidden where few gave an answer: it is for the instructor alone. `round` is the
    learner's own count, `vote` what the room was at when the answer came; `right` is "" where it is
    not known which answer was computed.
    """
    numbers: dict[str, int] = {}
    computed = {id: computed_key(room.given(id)) for id in room.course}
    rows = []
    for row in room.database.rows():
        question = room.course.get(row["exercise"])
        group = question.group_of(row["answer"]) if question else None
        rows.append(
            (
                numbers.setdefault(row["learner"], len(numbers) + 1),
                row["exercise"],
                row["round"],
                "yes" if row["seen"] else "no",
                json.dumps(row["answer"]),
                (group.misconception or "") if group else "",
                row["confidence"],
                row["because"] or "",
                datetime.fromtimestamp(row["received"], UTC).isoformat(timespec="seconds"),
                "yes" if row["invented"] else "no",
                row["vote"] or "",
                _right(group, computed.get(row["exercise"])),
            )
        )
    head = "learner exercise round seen_before answer misconception confidence because received"
    return as_csv([*head.split(), "invented", "vote", "right"], rows)


def _right(group: Group | None, computed: str | None) -> str:
    if group is None or computed is None:
        return ""
    return "yes" if group.key == computed else "no"


def questions_csv(room: Room) -> str:
    """Each question that was answered: its text, the computed answer, the share right by round.

    "solo" are questions with one vote, which a class does not discuss. No share is said of one or
    two answers.
    """
    head = "exercise led question computed answered_1 right_1 answered_2 right_2"
    return as_csv(head.split(), _asked(room))


def _asked(room: Room) -> Iterator[Sequence[Any]]:
    for question in room.course.values():
        given = room.given(question.id)
        counted, key = tally(given), computed_key(given)
        if not any(counted.spread.answered):
            continue
        labels = {bar.key: bar.label for bar in counted.spread.bars}
        right = room.right_answer(question.id)
        label = labels.get(key or "") or (right.label if right else "")
        rounds = [
            cell
            for round, everyone in enumerate(counted.spread.answered)
            for cell in (in_words(shown(everyone)), _percent(counted.share(key, round)))
        ]
        led = "class" if question.discuss else "solo"
        yield (question.id, led, question.prompt, label, *rounds)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f} %"


def moves_csv(room: Room) -> str:
    """The ideas with how many held, kept, left and came to them; few people are hidden."""
    parts = ("held", "survived", "moved", "arrived")
    rows = (
        (idea["exercise"], idea["misconception"], *(in_words(idea[each]) for each in parts))
        for idea in told(room)
    )
    return as_csv(["exercise", "misconception", *parts], rows)


def counts_csv(room: Room) -> str:
    """How often each answer was given, sent by notebooks, as codes and by raised hands."""
    head = "exercise round answer misconception notebook code hands"
    return as_csv(head.split(), counts(room))


def counts(room: Room) -> Iterator[Counted]:
    """Rows of exercise, round, answer, misconception, and a count for each of the SOURCES.

    What came after a vote was closed has the round "late".
    """
    for question in room.course.values():
        first, second, late = by_source(room.given(question.id))
        yield from _of_round(question, 1, first)
        yield from _of_round(question, 2, second)
        yield from _of_round(question, LATE, late)


def _of_round(question: Question, round: int | str, votes: Votes) -> Iterator[Counted]:
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
        yield (question.id, round, group.label, group.misconception or "", *cells)


def _told(source: str, count: int) -> int | None:
    # everybody in the room has seen the hands; there is nothing to hide
    return count if source == "hands" else shown(count)


TABLES: dict[str, Callable[[Room], str]] = {
    "moves": moves_csv,
    "answers": answers_csv,
    "counts": counts_csv,
    "questions": questions_csv,
}

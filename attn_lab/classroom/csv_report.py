"""What a class answered, as tables for a spreadsheet that will not run what is in them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from attn_lab.classroom.counts import counts
from attn_lab.classroom.moves import told
from attn_lab.classroom.privacy import in_words
from attn_lab.classroom.room import Room
from attn_lab.course.answer_groups import named_group

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def guarded(value: Any) -> Any:
    """Returns a cell that a spreadsheet shows and does not calculate.

    >>> guarded('=HYPERLINK("http://…")'), guarded(-0.5), guarded("a = b")
    ('\\'=HYPERLINK("http://…")', -0.5, 'a = b')
    """
    if isinstance(value, str) and value.lstrip(" ").startswith(_FORMULA):
        return "'" + value
    return value


def as_csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Returns a table as CSV, every cell guarded."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return text.getvalue()


def answers_csv(room: Room) -> str:
    """Returns every answer, learners numbered in the order in which they first answered.

    This is not hidden where few gave an answer: it is for the instructor alone.
    """
    numbers: dict[str, int] = {}
    rows = []
    for row in room.database.rows():
        question = room.course.get(row["exercise"])
        group = named_group(question, row["answer"]) if question else None
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
            )
        )
    head = "learner exercise round seen_before answer misconception confidence because received"
    return as_csv([*head.split(), "invented"], rows)


def moves_csv(room: Room) -> str:
    """Returns the ideas with how many held, kept, left and came to them; few people are hidden."""
    parts = ("held", "survived", "moved", "arrived")
    rows = (
        (idea["exercise"], idea["misconception"], *(in_words(idea[each]) for each in parts))
        for idea in told(room)
    )
    return as_csv(["exercise", "misconception", *parts], rows)


def counts_csv(room: Room) -> str:
    """Returns how often each answer was given, sent by notebooks, as codes and by raised hands."""
    head = "exercise round answer misconception notebook code hands"
    return as_csv(head.split(), counts(room))


TABLES: dict[str, Callable[[Room], str]] = {
    "moves": moves_csv,
    "answers": answers_csv,
    "counts": counts_csv,
}

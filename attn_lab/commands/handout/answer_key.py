"""The answer key: what the reference edition computed, and which wrong answers have a name.

The right answers are nowhere in the data, so they are taken from the stored results.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from attn_lab.commands.handout.rendering import filled
from attn_lab.course.editions import computed_values
from attn_lab.course.kinds import Question
from attn_lab.course.misconceptions import misconceptions


def answer_key(asked: Iterable[Question], editions: Mapping[str, dict[str, Any]]) -> str:
    """The page with one computed answer for each question."""
    computed = {id: value for nb in editions.values() for id, value in computed_values(nb).items()}
    answers = [(each, computed.get(each.id), _named(each)) for each in asked]
    return filled("answer_key.html", answers=answers)


def _named(asked: Question) -> list[tuple[str, str]]:
    """The wrong answers that have a name, and the misconception behind each."""
    named = []
    for each in asked.groups():
        if each.misconception:
            words = each.label.rstrip(".")
            said = f"{words} ({each.meaning})" if each.meaning else words
            named.append((said, misconceptions()[each.misconception].name))
    return named

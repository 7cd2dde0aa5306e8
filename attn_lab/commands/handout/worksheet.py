"""The predictions on paper: the question, room for an answer, confidence, a reason. No answers."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from attn_lab.commands.handout.rendering import filled
from attn_lab.course.kinds import Question
from attn_lab.course.questions import notebook, notebook_numbers, question, questions

CONFIDENCE = ("guess", "fairly sure", "certain")


def chosen(names: Sequence[str] | None = None) -> list[Question]:
    """The questions with these ids or of these notebooks; without names, all but extras.

    Raises: ValueError for an id or a number that the course does not have.
    """
    if names is None:
        return [each for each in questions() if each.depth != "extra"]
    found: dict[str, Question] = {}
    for name in names:
        for each in questions(name) if name in notebook_numbers() else [question(name)]:
            found.setdefault(each.id, each)
    return list(found.values())


def worksheet(asked: Iterable[Question]) -> str:
    """The page to print, its questions under the names of their notebooks.

    A contested question has room for a second vote.
    """
    by_notebook = [
        (notebook(number), list(group))
        for number, group in groupby(asked, key=lambda each: each.notebook)
    ]
    return filled("worksheet.html", notebooks=by_notebook, confidence=CONFIDENCE)

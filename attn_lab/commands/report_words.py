"""The words of the report: answers by the names of their places, verdicts by their meaning."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attn_lab.course.forms import Question

VERDICTS = {
    "same": "the same",
    "close": "close: within what counts as the same",
    "pattern": "the order agrees, the sizes do not",
    "named": "not the same; yours is what a known mistake gives",
    "different": "not the same",
}


def in_words(answer: Any, asked: "Question | None" = None) -> str:
    """Return an answer as one line: an option's words, marked cells by name, or its numbers.

    Without a question, or with one that has changed since, the stored answer stands as it is.

    >>> in_words([1, 0.25, [0, 1]])
    '[1, 0.25, [0, 1]]'
    """
    from attn_lab.course.answer_groups import spelled

    if asked is None:
        return _as_stored(answer)
    try:
        return _marked(asked, answer) if asked.kind == "cells" else spelled(asked, answer)
    except (TypeError, ValueError):
        return _as_stored(answer)


def _marked(asked: "Question", answer: list[list[int]]) -> str:
    """The marked cells: by rows where there is one column, by columns where there is one row."""
    by_row = [
        (row, [name for name, cell in zip(asked.columns, cells, strict=True) if cell])
        for row, cells in zip(asked.rows, answer, strict=True)
    ]
    if len(asked.columns) == 1:
        return ", ".join(row for row, marked in by_row if marked) or "none marked"
    if len(asked.rows) == 1:
        return ", ".join(by_row[0][1]) or "none marked"
    return "; ".join(f"{row}: {', '.join(marked) or 'none'}" for row, marked in by_row)


def _as_stored(answer: Any) -> str:
    if isinstance(answer, list):
        return f"[{', '.join(map(_as_stored, answer))}]"
    return f"{answer:.4g}" if isinstance(answer, float) else str(answer)

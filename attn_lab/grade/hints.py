"""A task's three hints, each folded away inside the one before it."""

from collections.abc import Mapping
from typing import Any

from attn_lab.course.tasks import Task, task
from attn_lab.grade.verdict import STYLE, paragraph


class Hints:
    """Hints that unfold one at a time; as text, a fixed line that does not give them away."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def __repr__(self) -> str:
        return f"{len(self.task.hints)} hints for {self.task.id} unfold here, one at a time."

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Mapping[str, str]:
        return {"text/html": html(self.task), "text/plain": repr(self)}


def hints(id: str) -> Hints:
    """The hints of a task, to be shown as the last expression of a cell.

    Raises: ValueError for an id that the course does not have.

    >>> hints("04/causal-mask")
    3 hints for 04/causal-mask unfold here, one at a time.
    """
    return Hints(task(id))


def html(task: Task) -> str:
    """The hints as HTML that opens by mouse and by keyboard, without a script."""
    inner, count = "", len(task.hints)
    for number, hint in reversed(list(enumerate(task.hints, 1))):
        # The attribute keeps Enter and Space for the browser: JupyterLab would take them.
        summary = (
            '<summary data-lm-suppress-shortcuts="true" style="cursor:pointer">'
            f"Hint {number} of {count}</summary>"
        )
        inner = f'<details style="margin:6px 0">{summary}{paragraph(hint)}{inner}</details>'
    return f'<div class="attn-hints" style="{STYLE}">{inner}</div>'

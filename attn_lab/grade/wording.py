"""The sentences about a call that gave no result. The subject is the code, never the person."""

from collections.abc import Callable, Sequence
from typing import Any

from attn_lab.grade.calls import SECONDS, Call
from attn_lab.grade.giving import NoPlaceError
from attn_lab.grade.graders_entry import Case, Grader
from attn_lab.grade.printing import MOST


def unfinished(function: Callable[..., Any]) -> str:
    """Says that the stub is still as it was."""
    return f"{name_of(function)} still returns `...`, the place for its result."


def nothing(printed: str) -> str:
    """Says that a function returned None, and what it printed in place of that."""
    if printed.strip():
        return (
            f"The function printed {quoted(printed)} and returned nothing. "
            "print shows a value to a person; what hands it on to the next line of code?"
        )
    return "The function returned nothing (None). Does every way through it reach a return?"


def broken_off(made: Call) -> str:
    """Says how a call ended that did not return."""
    if made.ended == "interrupted":
        return (
            f"The function had not ended after {SECONDS:.0f} seconds, and was interrupted. "
            "Which of its loops has a condition that stays true?"
        )
    if made.ended == "running":
        return (
            f"The function had not ended after {SECONDS:.0f} seconds and cannot be interrupted: "
            "it waits inside a library, or it catches every error, the interruption too. It goes "
            "on in the background, where its output is not shown, until it ends by itself or the "
            "kernel is restarted (Kernel ▸ Restart Kernel)."
        )
    place = f" The line: `{made.place}`" if made.place else ""
    return f"The function stopped with {cut(made.said, 200)}.{place}".replace("..", ".")


def misfit(made: Call, case: Case, grader: Grader, takes: Sequence[str]) -> str:
    """Says that a function takes other arguments than it is given, or ""."""
    if isinstance(made.error, NoPlaceError):
        asked = str(made.error)
        return f"The function takes ({', '.join(takes)}), and the task asks for `{asked}` as well."
    if not isinstance(made.error, TypeError) or made.place or "argument" not in made.said:
        return ""
    asked = ", ".join(case.arguments)
    return f"The function is called with ({asked}) and takes ({', '.join(takes)})."


def changed(names: Sequence[str]) -> str:
    """Says that arguments were changed in place."""
    return (
        f"The result is right, but {' and '.join(names)} did not survive the call: the function "
        "changed what it was given. Which line writes into it?"
    )


def quoted(printed: str) -> str:
    """Returns what a function printed, short enough for a sentence."""
    more = " (the beginning of more than is kept)" if len(printed) >= MOST else ""
    return f"“{cut(' '.join(printed.split()), 60)}”{more}"


def cut(text: str, most: int) -> str:
    """Returns a text, cut where it is too long.

    >>> cut("0123456789", 5)
    '0123…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def name_of(function: Callable[..., Any]) -> str:
    """Returns a function's own name."""
    return getattr(function, "__name__", type(function).__name__)

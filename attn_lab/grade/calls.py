"""One call of a learner's function, whatever it does: returns, raises, prints, never ends."""

import copy
import inspect
import threading
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from attn_lab.grade.leaving import no_leaving
from attn_lab.grade.places import place
from attn_lab.grade.printing import own_output
from attn_lab.grade.threads import TooLongError, in_thread

SECONDS = 5.0  # for one call on inputs of a few numbers: a busy machine needs less
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True)
class Call:
    """What became of a call; `ended` is "returned", "raised", "interrupted" or "running"."""

    ended: str
    value: Any = None
    error: BaseException | None = None
    place: str = ""  # the function's own line that raised
    printed: str = ""
    damaged: tuple[str, ...] = ()  # names of arguments that are not what they were

    @property
    def said(self) -> str:
        """The error's kind and its text."""
        kind = type(self.error).__name__
        try:
            text = " ".join(str(self.error).split())
        except Exception:  # a class of the learner's own
            return kind
        return f"{kind}: {text}" if text else kind


def call(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    named: Mapping[str, str] = NOTHING,
    seconds: float = SECONDS,
) -> Call:
    """Calls the function with copies of the arguments, those in `named` by the name there.

    It runs in a thread, so that a loop without end is interrupted on every platform and the
    kernel lives. What runs inside C code cannot be interrupted: then `ended` is "running".
    """
    given = copy.deepcopy(dict(arguments))
    positional = [value for name, value in given.items() if name not in named]
    by_name = {there: given[name] for name, there in named.items()}
    box: dict[str, Any] = {}

    def run() -> None:
        out.thread = errors.thread = threading.current_thread()
        try:
            box["value"] = function(*positional, **by_name)
        except BaseException as error:  # exit() and the interruption too must end here
            box["error"] = error

    with own_output() as (out, errors), no_leaving(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning's text holds paths, and is not graded
        ended = in_thread(run, seconds)
        printed = out.kept
    error = box.get("error")
    if not ended:
        return Call("running", printed=printed)
    if isinstance(error, TooLongError) or not box:  # it may arrive as late as in our own `except`
        return Call("interrupted", printed=printed)
    if error is not None:
        return Call("raised", error=error, place=place(function, error), printed=printed)
    if inspect.iscoroutine(box["value"]):
        box["value"].close()  # or Python warns, some time later, that nobody waited for it
    damaged = tuple(name for name in given if not same(given[name], arguments[name]))
    return Call("returned", box["value"], printed=printed, damaged=damaged)


def same(ours: Any, theirs: Any) -> bool:
    """Says whether two arguments hold the same: numbers, lists of them, or tensors.

    What cannot be compared is not what it was.
    """
    try:
        return _same(ours, theirs)
    except Exception:
        return False


def _same(ours: Any, theirs: Any) -> bool:
    lists = [isinstance(each, list | tuple) for each in (ours, theirs)]
    if all(lists) and len(ours) == len(theirs):
        return all(same(a, b) for a, b in zip(ours, theirs, strict=True))
    shapes = [tuple(getattr(each, "shape", ())) for each in (ours, theirs)]
    if any(lists) or shapes[0] != shapes[1]:
        return False  # a number may have become one of NumPy's, and a list a tensor
    equal = ours == theirs
    return bool(equal.all() if hasattr(equal, "all") else equal)

"""One call of a learner's function, whatever it does: returns, raises, prints, never ends."""

import contextlib
import copy
import ctypes
import inspect
import io
import linecache
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

SECONDS = 5.0  # for one call on inputs of a few numbers: a busy machine needs less
GRACE = 1.0  # for the interruption to arrive
NOTHING: Mapping[str, str] = {}


class TooLongError(BaseException):
    """Raised inside the learner's function, past its `except Exception`, to end it."""


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
    by_name = {place: given[name] for name, place in named.items()}
    box: dict[str, Any] = {}

    def run() -> None:
        try:
            box["value"] = function(*positional, **by_name)
        except BaseException as error:  # exit() and the interruption too must end here
            box["error"] = error

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning's text holds paths, and is not graded
        ended = _in_thread(run, seconds)
    error = box.get("error")
    if not ended:
        return Call("running", printed=printed.getvalue())
    if isinstance(error, TooLongError) or not box:  # it may arrive as late as in our own `except`
        return Call("interrupted", printed=printed.getvalue())
    if error is not None:
        place = _place(function, error)
        return Call("raised", error=error, place=place, printed=printed.getvalue())
    damaged = tuple(name for name in given if not same(given[name], arguments[name]))
    return Call("returned", box["value"], printed=printed.getvalue(), damaged=damaged)


def same(ours: Any, theirs: Any) -> bool:
    """Says whether two arguments hold the same: numbers, lists of them, or tensors."""
    lists = [isinstance(each, list | tuple) for each in (ours, theirs)]
    if all(lists) and len(ours) == len(theirs):
        return all(same(a, b) for a, b in zip(ours, theirs, strict=True))
    shapes = [tuple(getattr(each, "shape", ())) for each in (ours, theirs)]
    if any(lists) or shapes[0] != shapes[1]:
        return False  # a number may have become one of NumPy's, and a list a tensor
    equal = ours == theirs
    return bool(equal.all() if hasattr(equal, "all") else equal)


def _in_thread(run: Callable[[], None], seconds: float) -> bool:
    """Runs it; False where it is still running after the time and the interruptions."""
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    except BaseException:  # the learner presses stop: the function ends as well
        _interrupt(thread)
        raise
    end = time.monotonic() + GRACE
    while thread.is_alive() and time.monotonic() < end:
        _interrupt(thread)  # again and again: a bare `except` in the loop swallows some
        thread.join(0.02)
    return not thread.is_alive()


def _interrupt(thread: threading.Thread) -> None:
    if thread.ident is not None:
        id, error = ctypes.c_ulong(thread.ident), ctypes.py_object(TooLongError)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(id, error)


def _place(function: Callable[..., Any], error: BaseException) -> str:
    """The last line of the file or cell that holds the function, as it is written there."""
    file = _file(function)
    found, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            found = linecache.getline(file, trace.tb_lineno).strip() or found
        trace = trace.tb_next
    return found


def _file(function: Any) -> str:
    """The file or cell of the function itself, under decorators and fixed arguments."""
    function = inspect.unwrap(function)
    while isinstance(function, partial):
        function = inspect.unwrap(function.func)
    inside = getattr(function, "forward", type(function).__call__)
    code = getattr(function, "__code__", None) or getattr(inside, "__code__", None)
    return getattr(code, "co_filename", "")

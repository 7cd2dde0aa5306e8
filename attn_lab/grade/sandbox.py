"""A learner's function, called so that whatever it does, the notebook lives.

It may return, raise, print, ask a person, ask Python or IPython to end, damage its arguments, or
never end.
"""

import copy
import inspect
import linecache
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, TextIO, cast

from attn_lab.grade.asking import nobody_answers
from attn_lab.grade.interruption import TooLongError, in_thread

SECONDS = 5.0  # for one call on inputs of a few numbers: a busy machine needs less
MOST = 10_000  # characters that are kept; a loop without end prints gigabytes
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True)
class Call:
    """What became of a call."""

    ended: str  # "returned", "raised", "asked", "interrupted" or "running"
    value: Any = None
    error: BaseException | None = None
    line: str = ""  # the function's own line that raised
    printed: str = ""
    asked: str = ""  # what would have asked a person
    damaged: tuple[str, ...] = ()  # names of arguments that are not what they were


def call(
    function: Callable[..., Any],
    arguments: Mapping[str, Any],
    named: Mapping[str, str] = NOTHING,
    seconds: float = SECONDS,
) -> Call:
    """Call the function with copies of the arguments, those in `named` by the name there.

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

    with (
        own_output() as (out, errors),
        no_exit(),
        nobody_answers() as asked,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")  # a warning's text holds paths, and is not graded
        ended = in_thread(run, seconds, lambda: bool(asked))
        printed = out.kept
    error = box.get("error")
    if asked:  # whatever the function made of it
        line = line_of(function, error) if error else ""
        return Call("asked", asked=asked[0], line=line, printed=printed)
    if not ended:
        return Call("running", printed=printed)
    if isinstance(error, TooLongError) or not box:  # it may arrive as late as in our own `except`
        return Call("interrupted", printed=printed)
    if error is not None:
        return Call("raised", error=error, line=line_of(function, error), printed=printed)
    if inspect.iscoroutine(box["value"]):
        box["value"].close()  # or Python warns, some time later, that nobody waited for it
    damaged = tuple(name for name in given if not same(given[name], arguments[name]))
    return Call("returned", box["value"], printed=printed, damaged=damaged)


def same(ours: Any, theirs: Any) -> bool:
    """Whether two arguments hold the same: numbers, lists of them, or tensors.

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


class OwnOutput:
    """Stands before a stream, and takes what one thread writes; all else goes on as before."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.thread: threading.Thread | None = None
        self.kept = ""

    def write(self, text: str) -> int:
        """Write for others; keep the beginning of what the thread writes."""
        if threading.current_thread() is not self.thread:
            return self.stream.write(text)
        self.kept += text[: MOST - len(self.kept)]
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    @property
    def over(self) -> bool:
        """Whether nothing more can come."""
        return self.thread is None or not self.thread.is_alive()


@contextmanager
def own_output() -> Iterator[tuple[OwnOutput, OwnOutput]]:
    """Keep what a thread prints, and what it says of errors: the one that `thread` is set to.

    The beginning of its errors is shown in the end. Where the thread lives on after that, what
    it then writes is dropped.
    """
    printed = OwnOutput(_without_those_over(sys.stdout))
    errors = OwnOutput(_without_those_over(sys.stderr))
    sys.stdout, sys.stderr = cast(TextIO, printed), cast(TextIO, errors)
    try:
        yield printed, errors
    finally:
        sys.stdout = _without_those_over(printed)
        sys.stderr = _without_those_over(errors)
        if errors.kept:
            errors.stream.write(errors.kept)


def _without_those_over(stream: Any) -> TextIO:
    while isinstance(stream, OwnOutput) and stream.over:
        stream = stream.stream
    return cast(TextIO, stream)


@contextmanager
def no_exit() -> Iterator[None]:
    """Let IPython's own exit(), which ends the kernel, raise as Python's does."""
    module = sys.modules.get("IPython")  # never imported for this alone
    shell = module.get_ipython() if module is not None else None
    if shell is None:
        yield
        return
    before = shell.__dict__.get("ask_exit")
    shell.ask_exit = _exit
    try:
        yield
    finally:
        del shell.ask_exit
        if before is not None:
            shell.ask_exit = before


def _exit() -> None:
    raise SystemExit


def line_of(function: Callable[..., Any], error: BaseException) -> str:
    """The last line of the function's file or cell that an error passed, as it is written."""
    file = _file(function)
    found, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            found = linecache.getline(file, trace.tb_lineno).strip() or found
        trace = trace.tb_next
    return found


def source_of(function: Callable[..., Any]) -> str:
    """The file or cell that a function was written in, or "" where Python does not know it."""
    return "".join(linecache.getlines(_file(function)))


def _file(function: Any) -> str:
    """The file or cell of the function itself, under decorators and fixed arguments."""
    function = inspect.unwrap(function)
    while isinstance(function, partial):
        function = inspect.unwrap(function.func)
    inside = getattr(function, "forward", type(function).__call__)
    code = getattr(function, "__code__", None) or getattr(inside, "__code__", None)
    return getattr(code, "co_filename", "")

"""Nobody answers while code is graded: what would wait for a person is said at once."""

import builtins
import getpass
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class AskedError(BaseException):
    """Raised where a person would be asked, past the function's `except Exception`."""


class NoInput:
    """Stands in for sys.stdin, and is never read."""

    def __init__(self, ask: Callable[..., Any]) -> None:
        self.read = self.readline = self.readlines = self.__next__ = ask

    def __iter__(self) -> Any:
        return self.read()

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.__stdin__, name)


@contextmanager
def nobody_answers() -> Iterator[list[str]]:
    """Raise AskedError in place of asking; give the list of what asked, by its name."""
    asked: list[str] = []

    def asking(name: str) -> Callable[..., Any]:
        def ask(*args: Any, **named: Any) -> Any:
            asked.append(name)
            raise AskedError(name)

        return ask

    before = builtins.input, getpass.getpass, sys.breakpointhook, sys.stdin
    builtins.input, getpass.getpass = asking("input"), asking("getpass")
    sys.breakpointhook = asking("breakpoint")
    sys.stdin = NoInput(asking("sys.stdin"))
    try:
        yield asked
    finally:
        builtins.input, getpass.getpass, sys.breakpointhook, sys.stdin = before

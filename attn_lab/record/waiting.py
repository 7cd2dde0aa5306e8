"""What is said while the store waits for another program, in the place where the learner looks."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Say = Callable[[str], object]  # shows a line, "" to take it away

_place: ContextVar[Say | None] = ContextVar("place", default=None)


@contextmanager
def said_in(place: Say) -> Iterator[None]:
    """Have whatever waits inside say so there, in place of the running cell's output."""
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


@contextmanager
def said(seconds: float) -> Iterator[None]:
    """Say, as long as it lasts, that another program is waited for."""
    say = _place.get() or _in_cell()
    say(f"Another program is writing to your answers; waiting up to {seconds:g} s …")
    try:
        yield
    finally:
        say("")


def _in_cell() -> Say:
    """One line in the running cell; nothing in a thread or outside a notebook, where none runs."""
    module = sys.modules.get("IPython")  # never imported for this alone
    here = threading.current_thread() is threading.main_thread()
    if module is None or not here or module.get_ipython() is None:
        return lambda text: None
    shown: list[Any] = []

    def say(text: str) -> None:
        bundle = {"text/plain": text}
        if shown:
            shown[0].update(bundle, raw=True)
        else:
            shown.append(module.display.display(bundle, raw=True, display_id=True))

    return say

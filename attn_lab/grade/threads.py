"""A function run in a thread for a limited time, then interrupted."""

import ctypes
import threading
import time
from collections.abc import Callable

GRACE = 1.0  # seconds for the interruption to arrive


class TooLongError(BaseException):
    """Raised inside the learner's function, past its `except Exception`, to end it."""


def in_thread(run: Callable[[], None], seconds: float) -> bool:
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

"""A thread of its own for code that may never end: it is interrupted, and that leaves no trace."""

import ctypes
import threading
import time
from collections.abc import Callable

TRIES, BETWEEN = 50, 0.02  # interruptions, and the seconds between two of them
LEVELS = TRIES + 1  # and the one when the learner presses stop
ARRIVING = 100  # rounds of a loop in which an interruption arrives; one is enough
LOOK = 0.05  # seconds between two looks whether waiting is of use


class TooLongError(BaseException):
    """Raised inside the learner's function, past its `except Exception`, to end it."""


def in_thread(
    run: Callable[[], None], seconds: float, hopeless: Callable[[], bool] = lambda: False
) -> bool:
    """Run it; False where it is still running after the time and the interruptions.

    An interruption may arrive late, when the function has ended and our own lines run. Each one
    costs a level of `shielded`, and there are as many levels as interruptions. The thread leaves
    only when no more are sent and the last has arrived. None is ever taken back: Python 3.11 would
    wait for it for ever, and hang in the next profiler or debugger.
    """
    ended, begun, no_more = threading.Lock(), threading.Event(), threading.Event()
    ended.acquire()

    def leave() -> None:
        if ended.locked():
            ended.release()
        while not no_more.is_set():  # no lock is held meanwhile, so none is left behind
            time.sleep(0.0005)
        for _ in range(ARRIVING):  # at the end of each round, Python raises what has been sent
            pass

    def shielded(levels: int) -> None:
        if levels == 0:
            begun.set()
            run()
            return leave()
        try:
            shielded(levels - 1)
        except TooLongError:
            leave()

    thread = threading.Thread(target=shielded, args=(LEVELS,), daemon=True)
    thread.start()
    try:
        begun.wait()
        over = _waited(ended, seconds, hopeless)
        for _ in range(TRIES):  # again and again: a bare `except` in the loop swallows some
            if over:
                break
            _interrupt(thread)
            over = ended.acquire(timeout=BETWEEN)
    except BaseException:  # the learner presses stop: the function ends as well
        _interrupt(thread)
        raise
    finally:
        no_more.set()
    if over:
        thread.join()
    return over


def _waited(ended: threading.Lock, seconds: float, hopeless: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and not hopeless():
        if ended.acquire(timeout=min(left, LOOK)):
            return True
    return False


def _interrupt(thread: threading.Thread) -> None:
    if thread.ident is not None:
        ident, error = ctypes.c_ulong(thread.ident), ctypes.py_object(TooLongError)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error)

"""The one thread that sends what waits in the outbox; nothing else runs behind a notebook.

It reads the store, which is the outbox; what it has not sent is there for the next kernel. It
prints nothing and displays nothing: whoever watches is called after each round of sending.
"""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from attn_lab.record.attempts import Attempt
from attn_lab.record.memberships import Membership, class_of, memberships
from attn_lab.record.post import Outcome, body_of, send
from attn_lab.record.store import Store

FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0  # seconds


class Send(Protocol):
    """Sends a body to a class."""

    def __call__(self, to: Membership, body: dict) -> Outcome: ...


@dataclass
class Sender:
    """Sends what waits in the store that `open_store` gives; `problem` is why something waits."""

    open_store: Callable[[], Store]
    changed: Callable[[], None] = lambda: None
    send: Send = send
    problem: str = ""
    _stopped: bool = False
    _pid: int = 0
    _thread: threading.Thread | None = None
    _woken: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wake(self) -> None:
        """Has the outbox looked at now; starts the thread where this process has none yet."""
        with self._lock:
            if self._pid != os.getpid():  # after a fork the thread is the parent's alone
                self._pid, self._thread, self._woken = os.getpid(), None, threading.Event()
            self._woken.set()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(
                    target=self._run, name="attn-lab-sender", daemon=True
                )
                self._thread.start()

    def stop(self) -> None:
        """Ends the thread after what it is doing; what waits stays in the store."""
        self._stopped = True
        self._woken.set()

    def _run(self) -> None:
        woken = self._woken
        wait: float | None = None
        tries = 0
        while True:
            if woken.wait(wait):  # a new commit is worth a new try at once
                tries = 0
            woken.clear()
            if self._stopped:
                return
            try:
                again = self.once()
            except Exception as error:  # the thread must outlive whatever the store throws
                self.problem, again = type(error).__name__, 0.0
            self.changed()
            if again is None:
                wait = None
                continue
            tries += 1
            pause = min(FIRST_WAIT * 2 ** (tries - 1), LONGEST_WAIT)
            # a whole room that lost its network must not come back in one instant
            wait = max(again, pause * random.uniform(0.5, 1.0))

    def once(self) -> float | None:
        """Sends what waits, once; returns None when nothing waits, else the least time to wait."""
        store = self.open_store()
        known = memberships(store.path)
        waiting: dict[Membership, list[Attempt]] = {}
        for attempt in sorted(store.attempts(), key=lambda each: each.time):
            to = class_of(attempt, known)
            if attempt.sent == "waiting" and to is not None:
                waiting.setdefault(to, []).append(attempt)
        problem, least = "", None
        for to, attempts in waiting.items():
            for attempt in attempts:
                outcome = self.send(
                    to, body_of(attempt, _round(store, attempt, to, known), because=to.because)
                )
                if outcome.state == "waiting":
                    problem, least = outcome.said, max(least or 0.0, outcome.wait)
                    break  # the others would meet the same; another class may still answer
                store.mark_sent(attempt, outcome.state, outcome.said)
                self.changed()
        self.problem = problem
        return least


def _round(store: Store, attempt: Attempt, to: Membership, known: list[Membership]) -> int:
    # Counted since joining: what was answered alone last week is no round of this class.
    of_it = store.attempts(attempt.exercise)
    of_class = [each for each in of_it if each.sent and class_of(each, known) == to]
    return 1 + [each.id for each in of_class].index(attempt.id)

"""One answer sent to a class, and the one thread that sends what waits in the store.

What has not been sent is there for the next kernel. The thread prints nothing and displays
nothing: whoever watches is called after each round of sending.
"""

from __future__ import annotations

import http.client
import os
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec

from attn_lab.classroom.client.membership import class_of, same_class
from attn_lab.classroom.wire import CODE_HEADER, LONGEST_BECAUSE, Answer, Reply, read_reply
from attn_lab.record import Attempt, Membership, Store

PATIENCE = 5.0  # seconds for the class to answer
CAME_LATE = "It came after the vote was closed, and does not count in it."
FIRST_WAIT, LONGEST_WAIT = 0.5, 30.0  # seconds until the next try
_LARGEST_REPLY, _LONGEST_SAID = 4096, 200


@dataclass(frozen=True)
class Outcome:
    """What became of a request; `said` is why, or what is to be known of it.

    `state` is "sent", or "refused" for good, or "shut" (not let in as things stand) or "waiting":
    whatever is neither sent nor refused is tried again.
    """

    state: str
    said: str = ""
    wait: float = 0.0
    age: int = 0  # of the class, in seconds, where it was joined


def answer_of(attempt: Attempt, round: int, *, because: bool) -> Answer:
    """What leaves the laptop: the answer and how sure it was; the reason where it was chosen."""
    words = attempt.because.replace("\0", "").encode("utf-8", "replace").decode()
    return Answer(
        id=attempt.id,
        exercise=attempt.exercise,
        round=round,
        seen=attempt.seen,
        answer=attempt.answer,
        confidence=attempt.confidence,
        because=words[:LONGEST_BECAUSE] if because and words else None,
    )


def send(to: Membership, answer: Answer) -> Outcome:
    """Send one answer; only a reply that names the answer's id counts as sent."""
    return _post(to, "/answers", answer, lambda reply: reply.saved == answer.id)


def knock(to: Membership) -> Outcome:
    """Ask the class whether it would take this learner's answers."""
    return _post(to, "/join", {}, lambda reply: reply.joined)


def depart(to: Membership) -> Outcome:
    """Tell the class that this learner leaves it."""
    return _post(to, "/leave", {}, lambda reply: reply.left)


def _post(to: Membership, path: str, body: Any, good: Callable[[Reply], bool]) -> Outcome:
    """Post to a class and judge its reply.

    A redirect is not followed: it leads to a login page, whose 200 would look like success.
    """
    token = to.secret if to.code else os.environ.get("JUPYTERHUB_API_TOKEN", "")
    headers = {
        "Content-Type": "application/json",
        CODE_HEADER: to.code,
        "Authorization": f"Bearer {token}",
    }
    try:
        parts = urlsplit(to.address)
        secure = parts.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(parts.hostname or "", parts.port, timeout=PATIENCE)
        try:
            content = msgspec.json.encode(body)
            connection.request("POST", parts.path.rstrip("/") + path, content, headers)
            response = connection.getresponse()
            raw = response.read(_LARGEST_REPLY)
            wait = response.getheader("Retry-After", "") or ""
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        # a ValueError where the address is none: an environment or an older store may hold such
        return Outcome("waiting", getattr(error, "strerror", None) or type(error).__name__)
    reply = read_reply(response.status, raw)
    if response.status == 200 and good(reply):
        return Outcome("sent", CAME_LATE if reply.late else "", age=reply.age)
    said = reply.error[:_LONGEST_SAID]
    if said and reply.state in ("refused", "shut", "waiting"):  # it was a class that spoke
        return Outcome(reply.state, said, min(float(wait) if wait.isdigit() else 0.0, 60.0))
    return Outcome("waiting", f"something else answers at that address ({response.status})")


class Send(Protocol):
    """Sends an answer to a class."""

    def __call__(self, to: Membership, answer: Answer) -> Outcome: ...


@dataclass
class Sender:
    """Sends what waits in the store that `open_store` gives.

    `problems` say why the answers for a class wait, by the class's key; `problem` is why nothing
    could be sent to any.
    """

    open_store: Callable[[], Store]
    changed: Callable[[], None] = lambda: None
    send: Send = send
    problem: str = ""
    problems: dict[str, str] = field(default_factory=dict)
    _stopped: bool = False
    _pid: int = 0
    _thread: threading.Thread | None = None
    _woken: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wake(self) -> None:
        """Have the outbox looked at now; start the thread where this process has none yet."""
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
        """End the thread after what it is doing; what waits stays in the store."""
        self._stopped = True
        self._woken.set()

    def once(self) -> float | None:
        """Send what waits, once; gives the least time to wait, None when nothing waits."""
        store = self.open_store()
        known, attempts = store.memberships(), store.attempts()
        waiting: dict[Membership, list[Attempt]] = {}
        for attempt in attempts:
            to = class_of(attempt, known)
            if attempt.sent == "waiting" and to is not None:
                waiting.setdefault(to, []).append(attempt)
        problems: dict[str, str] = {}
        least = None
        for to, answers in waiting.items():
            rounds = _rounds(attempts, to, known)
            for attempt in answers:
                # a reason that was written before joining was not written to be sent
                because = to.because and attempt.time >= to.joined
                outcome = self.send(to, answer_of(attempt, rounds[attempt.id], because=because))
                if outcome.state not in ("sent", "refused"):
                    problems |= {each.to_class: outcome.said for each in answers}
                    least = max(least or 0.0, outcome.wait)
                    break  # the others would meet the same; another class may still answer
                store.mark_sent(attempt, outcome.state, outcome.said)
                self.changed()
        self.problem, self.problems = "", problems
        return least

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


def _rounds(attempts: list[Attempt], to: Membership, known: list[Membership]) -> dict[str, int]:
    # Counted since joining: what was answered alone last week is no round of this class. It is the
    # learner's own count; a class counts by the vote that is open when an answer comes.
    counts: dict[str, int] = {}
    rounds = {}
    for each in attempts:
        if each.sent and same_class(class_of(each, known), to):
            rounds[each.id] = counts[each.exercise] = counts.get(each.exercise, 0) + 1
    return rounds

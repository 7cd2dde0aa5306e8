"""How often somebody may ask, and how many new seats one address may take.

A room of three hundred behind one router sits down within seconds; a program that makes up learners
is slowed down after that, and the instructor is told.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

AT_ONCE = 400
PER_SECOND = 0.5
TOLD_FOR = 120  # seconds after the last one who had to wait
SAYS = (
    f"More than {AT_ONCE} newcomers came from one address; the next are let in one every "
    f"{1 / PER_SECOND:.0f} seconds. If your room is smaller, one program makes them up: start "
    "`attn-lab class` again with a new --database, and give its new code to your room alone."
)


class Limits:
    """One bucket for each name; the names that have been quiet longest are forgotten first."""

    def __init__(
        self,
        per_second: float,
        burst: int,
        *,
        names: int = 4096,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.per_second, self.burst, self.names, self.clock = per_second, burst, names, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allow(self, name: str) -> bool:
        """Whether this name has a token left, and takes it."""
        now = self.clock()
        tokens, since = self._buckets.pop(name, (float(self.burst), now))
        tokens = min(self.burst, tokens + (now - since) * self.per_second)
        allowed = tokens >= 1
        self._buckets[name] = (tokens - allowed, now)
        while len(self._buckets) > self.names:
            self._buckets.popitem(last=False)
        return allowed


class Newcomers:
    """The door for newcomers; the desk is told while some have to wait."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._limits = Limits(PER_SECOND, AT_ONCE, clock=clock)
        self._waited: float | None = None

    def allow(self, address: str) -> bool:
        """Whether one more newcomer from this address may take a seat now."""
        allowed = self._limits.allow(address)
        if not allowed:
            self._waited = self.clock()
        return allowed

    def says(self) -> str:
        """What the instructor should know, "" where nobody had to wait of late."""
        waited = self._waited
        return SAYS if waited is not None and self.clock() - waited < TOLD_FOR else ""

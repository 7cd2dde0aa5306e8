"""How many new seats one address may take, so that one program cannot take the whole room's.

A room of three hundred behind one router sits down within seconds; a program that makes up learners
is slowed down after that, and the instructor is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from attn_lab.classroom.limits import Limits

AT_ONCE = 400
PER_SECOND = 0.5
TOLD_FOR = 120  # seconds after the last one who had to wait
SAYS = (
    f"More than {AT_ONCE} newcomers came from one address; the next are let in one every "
    f"{1 / PER_SECOND:.0f} seconds. If your room is smaller, one program makes them up: start "
    "`attn-lab class` again with a new --database, and give its new code to your room alone."
)


class Newcomers:
    """Lets newcomers in, and says so to the desk while some have to wait."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._limits = Limits(PER_SECOND, AT_ONCE, clock=clock)
        self._waited: float | None = None

    def allow(self, address: str) -> bool:
        """Returns whether one more newcomer from this address may take a seat now."""
        allowed = self._limits.allow(address)
        if not allowed:
            self._waited = self.clock()
        return allowed

    def says(self) -> str:
        """Returns what the instructor should know, "" where nobody had to wait of late."""
        waited = self._waited
        return SAYS if waited is not None and self.clock() - waited < TOLD_FOR else ""

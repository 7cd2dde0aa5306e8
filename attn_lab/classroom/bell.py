"""Tells open pages that something has changed, however many answers came at once."""

import asyncio


class Bell:
    """Counts changes; whoever waits is woken by the next one. Rung from the server's loop only."""

    def __init__(self) -> None:
        self.rung = 0
        self._next = asyncio.Event()

    def ring(self) -> None:
        """Says that something has changed."""
        self.rung += 1
        self._next.set()
        self._next = asyncio.Event()

    async def wait(self, heard: int, *, at_most: float) -> int:
        """Returns the count once it differs from `heard`, or after `at_most` seconds."""
        if self.rung == heard:
            try:
                await asyncio.wait_for(self._next.wait(), at_most)
            except TimeoutError:
                pass
        return self.rung

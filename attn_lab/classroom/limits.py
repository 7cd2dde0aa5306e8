"""How often somebody may ask: a bucket of tokens that refills."""

import time
from collections import OrderedDict
from collections.abc import Callable


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
        """Returns whether this name has a token left, and takes it."""
        now = self.clock()
        tokens, since = self._buckets.pop(name, (float(self.burst), now))
        tokens = min(self.burst, tokens + (now - since) * self.per_second)
        allowed = tokens >= 1
        self._buckets[name] = (tokens - allowed, now)
        while len(self._buckets) > self.names:
            self._buckets.popitem(last=False)
        return allowed

"""Who is let in: whoever knows the join code, under a name that says nothing, not too often.

A learner is known by what only their own program knows; the database keeps no way back. A room of
three hundred behind one router sits down within seconds; a program that makes up learners is slowed
down after that, and the instructor is told.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable

from attn_lab.classroom.join_string import CODE_LENGTH, plain

# 30 characters that are not mixed up. Eight of them make 6.6e11 codes: even unlimited guessing for
# three hours has a chance of 1 in 25,000.
CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_SECRET = re.compile(r"[0-9a-f]{32,64}")
AT_ONCE = 400
PER_SECOND = 0.5
TOLD_FOR = 120  # seconds after the last one who had to wait
SAYS = (
    f"More than {AT_ONCE} newcomers came from one address; the next are let in one every "
    f"{1 / PER_SECOND:.0f} seconds. If your room is smaller, one program makes them up: start "
    "`attn-lab class --new` instead of this one, and give its new code to your room alone."
)


def new_code() -> str:
    """A fresh code in the form in which it is read out: two groups of four."""
    code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))
    return f"{code[:4]}-{code[4:]}"


def same_code(one: str, other: str) -> bool:
    """Whether two codes are the same; the time it takes does not tell where they part."""
    return hmac.compare_digest(plain(one).encode(), plain(other).encode())


def class_string(address: str, code: str) -> str:
    """What learners paste.

    >>> class_string("http://192.168.1.20:8765", "KX7Q-2MWD")
    'http://192.168.1.20:8765#KX7Q-2MWD'
    """
    return f"{address.rstrip('/')}#{code}"


def new_salt() -> str:
    """What makes the pseudonyms of this class unlike those of any other."""
    return secrets.token_hex(32)


def is_secret(text: str) -> bool:
    """Whether a text has the form of a secret that a learner's program makes."""
    return _SECRET.fullmatch(text) is not None


def pseudonym(salt: str, secret: str) -> str:
    """The name under which the owner of this secret, or of this account, is kept."""
    return hmac.new(salt.encode(), secret.encode(), hashlib.sha256).hexdigest()[:32]


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

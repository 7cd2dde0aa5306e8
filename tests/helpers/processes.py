"""Servers that a test starts: where they may listen, and waiting for what they come to."""

import socket
import time
from collections.abc import Callable


def free_port() -> int:
    """A port of 127.0.0.1 on which nothing listens just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(holds: Callable[[], object], seconds: float = 60, pause: float = 0.02) -> None:
    """Wait until something holds that only another thread or process can bring about."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(pause)

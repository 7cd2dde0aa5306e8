"""Where a class lives: the file of its database, and the address that learners can reach."""

import socket
from datetime import date
from pathlib import Path

from platformdirs import user_data_path


def todays_database(folder: Path | None = None) -> str:
    """Returns the URL of today's class, so that a restart on the same day goes on with it."""
    folder = folder or user_data_path("attn_lab", appauthor=False) / "classes"
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder}/class-{date.today().isoformat()}.sqlite"


def own_address() -> str:
    """Returns this machine's address in the network it would use, or 127.0.0.1 without one.

    Nothing is sent: connecting a datagram socket only asks the system which way it would go.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def listening(address: str) -> str:
    """Returns what to listen on: `::` means every network of both kinds, as most systems take it.

    >>> listening("::"), listening("[::1]"), listening("0.0.0.0")
    ('', '::1', '0.0.0.0')
    """
    bare = address.strip("[]")
    return "" if bare == "::" else bare


def reached_at(address: str) -> str:
    """Returns the host that learners type: never the address that stands for all of them.

    >>> reached_at("::1"), reached_at("192.168.1.20")
    ('[::1]', '192.168.1.20')
    """
    host = address.strip("[]")
    if host in ("", "0.0.0.0", "::"):
        return own_address()
    return f"[{host}]" if ":" in host else host


def more_files() -> None:
    """Raises the limit on open files, so that a full room of idle connections does not reach it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit to raise
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

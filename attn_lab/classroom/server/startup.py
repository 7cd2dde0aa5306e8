"""What a class is started with: its database and address, why it cannot start, when it stops."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import re
import signal
import socket
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from attn_lab.classroom.server.database_troubles import why_not

EXPECTED = "expected a file such as class.sqlite, or an URL that begins with postgresql+psycopg://"
DRIVER = "its driver is missing: pip install 'attn-lab[postgres]', begin with postgresql+psycopg://"
FILES = ("sqlite", "sqlite+pysqlite")
KINDS = (*FILES, "postgresql", "postgresql+psycopg", "postgresql+psycopg2")
_IS_URL = re.compile(r"[a-z][a-z0-9+]+:", re.IGNORECASE)  # one letter is a drive of Windows
_IN_MEMORY = (None, "", ":memory:")  # such a class would be lost with its process
NO_ADDRESS = "This machine cannot be reached there: leave out --address, and one is found."
TAKEN = "Try another --port or --desk-port."


def read_database(text: str) -> URL:
    """The URL of the database that this text names.

    Raises: ValueError, without the password, for one that a class cannot use.

    >>> read_database("/tmp/class.sqlite").render_as_string()
    'sqlite:////tmp/class.sqlite'
    """
    if not _IS_URL.match(text):
        return URL.create("sqlite", database=str(Path(text).expanduser().absolute()))
    kind = text.partition(":")[0]
    refused = ValueError(f"--database: {EXPECTED}; got {kind}:…")
    try:
        url = make_url(text)
        if url.drivername not in KINDS or (kind in FILES and url.database in _IN_MEMORY):
            raise refused
        url.get_dialect().import_dbapi()
    except (ArgumentError, ValueError):
        raise refused from None
    except ImportError:
        raise ValueError(f"--database: {kind}: {DRIVER}") from None
    return url


def own_address() -> str:
    """This machine's address in the network it would use, or 127.0.0.1 without one.

    Nothing is sent: connecting a datagram socket only asks the system which way it would go.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that belongs to nobody
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def listening(address: str) -> str:
    """What to listen on: `::` means every network of both kinds, as most systems take it.

    >>> listening("::"), listening("[::1]"), listening("0.0.0.0")
    ('', '::1', '0.0.0.0')
    """
    bare = address.strip("[]")
    return "" if bare == "::" else bare


def reached_at(address: str) -> str:
    """The host that learners type: never the address that stands for all of them.

    >>> reached_at("::1"), reached_at("192.168.1.20")
    ('[::1]', '192.168.1.20')
    """
    host = address.strip("[]")
    if host in ("", "0.0.0.0", "::"):
        return own_address()
    return f"[{host}]" if ":" in host else host


def asked_to_stop() -> asyncio.Event:
    """What is set once this process is interrupted or terminated."""
    stop = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop


def more_files() -> None:
    """Raise the limit on open files, so that a full room of idle connections does not reach it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit to raise
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def why(error: SQLAlchemyError | OSError) -> str:
    """What went wrong, and the advice that fits it.

    >>> why(OSError(errno.EADDRINUSE, "Address already in use"))
    'Address already in use. Try another --port or --desk-port.'
    """
    if isinstance(error, SQLAlchemyError):
        return why_not(error)
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    said = f"{error.strerror or error}."
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{said} {NO_ADDRESS}"
    return f"{said} {TAKEN}" if error.errno in (errno.EADDRINUSE, errno.EACCES) else said

"""`attn-lab class`: its options, and what is said where it cannot start.

The command line reads this file at every call, so it imports nothing heavy before `run`.
"""

from __future__ import annotations

import argparse
import sys

PORT = 8765
NEEDS = "attn-lab class needs SQLAlchemy and Tornado: pip install sqlalchemy tornado"
IN_USE = "Where it is locked, another attn-lab class is running: stop that one first."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `attn-lab class`."""
    add = parser.add_argument
    add("--address", help="address at which learners reach this machine (default: found)")
    add("--port", type=int, default=PORT, help=f"port for learners (default {PORT})")
    add("--desk-port", type=int, default=PORT + 1, help="port of desk and stage, on 127.0.0.1")
    add("--database", help="SQLAlchemy URL (default: a SQLite file for today)")
    add("--no-network", action="store_true", help="desk and stage alone: hands and codes")
    add("--rehearse", action="store_true", help="thirty invented learners; nothing is kept")
    add("--report", metavar="FOLDER", help="write what the class gave into a folder, and end")
    add("--quiet", action="store_true", help="no line for each request")


def run(args: argparse.Namespace) -> int:
    """Runs the class until it is interrupted; returns the exit status."""
    try:
        import tornado  # noqa: F401
        from sqlalchemy.exc import OperationalError
    except ModuleNotFoundError:
        print(NEEDS, file=sys.stderr)
        return 2
    from attn_lab.classroom.running import hold, report

    try:
        report(args) if args.report else hold(args)
    except OperationalError as error:
        print(f"The class cannot start: its database says {error.orig}. {IN_USE}", file=sys.stderr)
        return 1
    except OSError as error:
        said = f"The class cannot start: {error}. Try another --port or --desk-port."
        print(said, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0

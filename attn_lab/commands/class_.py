"""`attn-lab class`: start a class on this computer, and print what learners paste to join it."""

import argparse
import sys

NAME = "class"
HELP = "start a class: collect a room's predictions, and see the spread (for instructors)"
PORT = 8765
NEEDS = "attn-lab class needs SQLAlchemy and Tornado: pip install sqlalchemy tornado"
BOTH = "--report writes what a class gave, and a rehearsal gives nothing: leave one of them out"
NEW = "--new begins a class with a file of its own: leave out --database, --report and --rehearse"


def port(text: str) -> int:
    """A port; the system would take a larger number for another port, without a word.

    Raises: ArgumentTypeError for what is none.
    """
    if not (text.isdecimal() and int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `attn-lab class`."""
    add = parser.add_argument
    add("--address", help="address at which learners reach this machine (default: found)")
    add("--port", type=port, default=PORT, help=f"port for learners (default {PORT})")
    add("--desk-port", type=port, default=PORT + 1, help="port of desk and stage, on 127.0.0.1")
    add("--database", help="SQLite file or SQLAlchemy URL (default: a file for today)")
    add("--new", action="store_true", help="begin another class today; the one there is, is kept")
    add("--list", action="store_true", help="list the classes kept on this computer, and end")
    add("--no-network", action="store_true", help="desk and stage alone: hands and codes")
    add("--rehearse", action="store_true", help="thirty invented learners; nothing is kept")
    add("--report", metavar="FOLDER", help="write what a class gave (asks which) and end")
    add("--quiet", action="store_true", help="no line for each request")


def run(args: argparse.Namespace) -> int:
    """Hold the class until it is interrupted, or write its report."""
    if args.rehearse and args.report:
        print(BOTH, file=sys.stderr)
        return 2
    if args.new and (args.database or args.report or args.rehearse):
        print(NEW, file=sys.stderr)
        return 2
    try:
        import tornado  # noqa: F401
        from sqlalchemy.exc import SQLAlchemyError
    except ModuleNotFoundError:
        print(NEEDS, file=sys.stderr)
        return 2
    from attn_lab.classroom.server.kept_classes import NoClassError
    from attn_lab.classroom.server.running import hold, list_classes, report
    from attn_lab.classroom.server.startup import read_database, why

    if args.list:
        list_classes()
        return 0
    try:
        args.database = read_database(args.database) if args.database else None
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        report(args) if args.report else hold(args)
    except (SQLAlchemyError, OSError) as error:
        what = "The report cannot be written" if args.report else "The class cannot start"
        print(f"{what}: {why(error)}", file=sys.stderr)
        return 1
    except NoClassError as error:
        print(f"No report is written: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0

"""`attn-lab class`: starts the class and prints what learners paste and where the desk is."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from attn_lab.classroom.places import PORT, more_files, own_address, todays_database

if TYPE_CHECKING:
    from attn_lab.classroom.server import ClassServer

IN_USE = "Where it is locked, another attn-lab class is running: stop that one first."
NEEDS = "attn-lab class needs SQLAlchemy and Tornado: pip install 'attn-lab[class]'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `attn-lab class`."""
    add = parser.add_argument
    add("--address", help="address at which learners reach this machine (default: found)")
    add("--port", type=int, default=PORT, help=f"port for learners (default {PORT})")
    add("--desk-port", type=int, default=PORT + 1, help="port of desk and stage, on 127.0.0.1")
    add("--database", help="SQLAlchemy URL (default: a SQLite file for today)")
    add("--no-network", action="store_true", help="desk and stage alone: hands and codes")
    add("--report", metavar="FOLDER", help="write what the class gave into a folder, and end")
    add("--rehearse", action="store_true", help="thirty invented learners; nothing is kept")
    add("--quiet", action="store_true", help="no line for each request")


def run(args: argparse.Namespace) -> int:
    """Runs the class until it is interrupted; returns the exit status."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stderr)
    if args.quiet:
        logging.getLogger("attn_lab.class").setLevel(logging.WARNING)
    try:
        import tornado  # noqa: F401
        from sqlalchemy.exc import OperationalError
    except ModuleNotFoundError:
        print(NEEDS, file=sys.stderr)
        return 2
    more_files()
    try:
        if args.report:
            return _report(args)
        with tempfile.TemporaryDirectory(prefix="attn-lab-rehearsal-") as folder:
            asyncio.run(_serve(args, folder))
    except OSError as error:
        print(
            f"The class cannot start: {error}. Try another --port or --desk-port.", file=sys.stderr
        )
        return 1
    except OperationalError as error:
        print(f"The class cannot start: its database says {error.orig}. {IN_USE}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def _report(args: argparse.Namespace) -> int:
    from attn_lab.classroom.afterwards import write_report
    from attn_lab.course.questions import questions

    course = {question.id: question for question in questions()}
    for path in write_report(args.database or todays_database(), course, Path(args.report)):
        print(f"Written: {path}")
    return 0


async def _serve(args: argparse.Namespace, scratch: str) -> None:
    from attn_lab.classroom.rehearsal import rehearse
    from attn_lab.classroom.server import start
    from attn_lab.course.questions import questions

    alone = args.rehearse or args.no_network
    host = None if alone else args.address or own_address()
    url = f"sqlite:///{scratch}/rehearsal.sqlite" if args.rehearse else args.database
    server = await start(
        url or todays_database(),
        {question.id: question for question in questions()},
        learner_host=host,
        learner_port=args.port,
        instructor_port=args.desk_port,
        invented=args.rehearse,
    )
    if host is not None:
        server.room.address = f"http://{host}:{server.learner_port}"
    await _say(server, args)
    stop = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises KeyboardInterrupt
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    made_up = asyncio.create_task(rehearse(server)) if args.rehearse else None
    await stop.wait()
    if made_up is not None:
        made_up.cancel()
    await server.stop()


async def _say(server: ClassServer, args: argparse.Namespace) -> None:
    say = server.room.join_string()
    if say:
        print(f"Learners paste:  {say}")
        print(f"    in a cell:   from attn_lab.predict import join; join({say!r})")
        print("What they send can be read by others in this network; it holds no names.")
    elif args.rehearse:
        print("Rehearsal: thirty invented learners answer; nothing is kept, no one can join.")
    else:
        print("No network: count raised hands, or paste the chat's codes at the desk.")
    print(f"Desk, for you:   {await server.link()}   (works once, on this machine)")
    print("Stop with Ctrl-C. Starting again today goes on with this class.", flush=True)

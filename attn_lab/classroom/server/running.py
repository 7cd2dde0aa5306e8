"""Hold a class until it is interrupted, and write what it gave."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import URL

from attn_lab.classroom.count.csv_tables import TABLES
from attn_lab.classroom.count.moves import picture, told
from attn_lab.classroom.rehearsal import rehearse
from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.kept_classes import (
    Kept,
    chosen_class,
    class_at,
    classes_folder,
    copied,
    kept_classes,
    latest_class,
    look,
    todays_class,
)
from attn_lab.classroom.server.listeners import ClassServer, start
from attn_lab.classroom.server.room import Room
from attn_lab.classroom.server.startup import (
    asked_to_stop,
    listening,
    more_files,
    own_address,
    reached_at,
)
from attn_lab.course.kinds import Question
from attn_lab.course.questions import questions
from attn_lab.course.reference import computed_answers

HOLD = "Moves and answers hold what notebooks sent; hands and the chat's codes are in counts.csv."


def hold(args: argparse.Namespace) -> None:
    """Start the class, say where it is, and end when it is asked to stop."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stderr)
    if args.quiet:
        logging.getLogger("attn_lab.class").setLevel(logging.WARNING)
    more_files()
    if not args.rehearse:
        url = args.database or todays_class(classes_folder(), new=args.new)
        before = _before(args, look(url))  # while it can be looked at
        asyncio.run(_serve(args, url, before))
        return
    with tempfile.TemporaryDirectory(prefix="attn-lab-rehearsal-") as folder:
        asyncio.run(_serve(args, f"sqlite:///{folder}/rehearsal.sqlite"))


def list_classes() -> None:
    """Print the classes that are kept on this computer, the newest first."""
    there = kept_classes(classes_folder())
    print("\n".join(map(str, there)) if there else "No class was started on this computer yet.")


def report(args: argparse.Namespace) -> None:
    """Write the pictures and tables of a class: the one named, or the one chosen of several.

    Raises: NoClassError where there is none.
    """
    course = {question.id: question for question in questions()}
    folder = classes_folder()
    if args.database:
        found = class_at(args.database, folder)
    else:  # whoever runs this from a script is given the latest
        found = chosen_class(folder, input) if sys.stdin.isatty() else latest_class(folder)
    print(f"The class in {found}.")
    with copied(found.url) as url:
        for path in write_report(url, course, Path(args.report), computed_answers()):
            print(f"Written: {path}")
    print(HOLD)


async def _serve(args: argparse.Namespace, url: str | URL, before: str = "") -> None:
    alone = args.rehearse or args.no_network
    host = None if alone else args.address or own_address()
    server = await start(
        url,
        {question.id: question for question in questions()},
        right=computed_answers(),
        learner_host=None if host is None else listening(host),
        learner_port=args.port,
        instructor_port=args.desk_port,
        invented=args.rehearse,
    )
    if host is not None:
        server.room.address = f"http://{reached_at(host)}:{server.learner_port}"
    stop = asked_to_stop()
    if before:
        print(before)
    await _say(server, args)  # last, because it says how to stop
    made_up = asyncio.create_task(rehearse(server)) if args.rehearse else None
    await stop.wait()
    if made_up is not None:
        made_up.cancel()
    await server.stop()


def _before(args: argparse.Namespace, now: Kept) -> str:
    """What there is of this class already, or where the one before it is kept."""
    if now.people or now.gave:
        another = "" if args.database else " For another group: attn-lab class --new"
        return f"Going on with the class in {now}.{another}"
    last = next((each for each in kept_classes(classes_folder()) if each.gave), None)
    if args.database or not last:
        return ""
    return f"A new class. The last one is kept, and goes on where --database names it: {last}."


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
        print('For a code, learners run: from attn_lab.predict import join; join("chat")')
    print(f"Desk, for you:   {await server.link()}   (works once, on this machine)")
    again = "" if args.rehearse else " Starting again today goes on with this class."
    print(f"Stop with Ctrl-C.{again}", flush=True)


def write_report(
    url: str | URL,
    course: Mapping[str, Question],
    folder: Path,
    right: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the picture as moves.svg and moves.png, and every table: their paths.

    `right` has the computed answers that are known, by exercise.

    This runs in a process of its own and loads matplotlib, as the server never does.
    """
    database = ClassDatabase(url)
    room = Room(database, course, right=right)
    folder.mkdir(parents=True, exist_ok=True)
    tables = {f"{name}.csv": make(room) for name, make in TABLES.items()}
    for name, text in tables.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    figure = picture(told(room))
    pictures = ["moves.svg", "moves.png"]
    for name in pictures:
        figure.savefig(folder / name, dpi=160)
    database.engine.dispose()
    return [folder / name for name in (*pictures, *tables)]

"""The instructor's two pages, what they ask for, and what they may change."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from tornado.web import Application, StaticFileHandler

from attn_lab.classroom.count.csv_tables import TABLES
from attn_lab.classroom.count.moves import told
from attn_lab.classroom.server.admission import Limits
from attn_lab.classroom.server.agenda import guides
from attn_lab.classroom.server.events import Events
from attn_lab.classroom.server.instructor_access import (
    HOSTS,
    Enter,
    InstructorHandler,
    Link,
    OtherHost,
)
from attn_lab.classroom.server.replies import NotHere, Refused, log_request
from attn_lab.classroom.server.room import Room
from attn_lab.classroom.wire import Reason

LARGEST_CHAT = 1024 * 1024
FOLDER = Path(__file__).parents[1] / "html"
ASSETS = r"[a-z]+\.(?:css|js)"
INSIDE = ("desk", "stage")
KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
PATIENCE = 60  # seconds
TOO_LARGE_CHAT = Reason("too-large", 413, "too large: at most 1 MB; paste the last part of it")
WORDS = "move, tell, hide, close, paste, hands, mark, plan, begin, step or note"
SLOW_PICTURE = Reason("slow-picture", 503, "the picture took too long; ask for the table instead")
NO_PICTURE = Reason(
    "no-picture", 503, "no picture here: it needs matplotlib. The table has the same numbers"
)
TYPES = {"svg": "image/svg+xml", "png": "image/png"}


class Page(InstructorHandler, StaticFileHandler):
    """One file; those without the cookie get the page that says how to come in."""

    route = "page"
    needs_cookie = False  # nothing of the class is in these files

    def parse_url_path(self, url_path: str) -> str:
        name = url_path.removesuffix(".html")
        if name in INSIDE and not self.has_come_in():
            name = "enter"
        return name if "." in name else f"{name}.html"

    def get_content_type(self) -> str:  # what a system takes the ending for is not asked
        return f"{KINDS[Path(self.absolute_path or '').suffix]}; charset=UTF-8"

    def get_cache_time(self, *_: Any) -> int:
        return 0


class Home(InstructorHandler):
    """The bare address, as somebody types it."""

    route = "home"
    needs_cookie = False

    def get(self) -> None:
        self.redirect("/desk")


class Control(InstructorHandler):
    """The instructor's word: move on, close a vote, read a chat, mark a bar …"""

    route = "control"

    async def post(self) -> None:
        if len(self.request.body) > LARGEST_CHAT:
            raise Refused(TOO_LARGE_CHAT)
        said = self.body()
        self.finish(await self.work(self._follow, said))
        self.application.settings["bell"].ring()

    def _follow(self, said: dict[str, Any]) -> dict[str, Any]:
        room = self.room
        match said:
            case {"do": "move", "to": str(to), "exercise": str(exercise)}:
                room.move(to, exercise)
            case {"do": "move", "to": str(to)} if "exercise" not in said:
                room.move(to)
            case {"do": "tell", "computed": bool(computed)}:
                room.tell(computed)
            case {"do": "hide", "exercise": str(exercise), "key": str(key), "hidden": bool(hidden)}:
                room.hide(exercise, key, hidden)
            case {"do": "plan", "plan": str(plan)}:
                room.plan(plan)
            case {"do": "begin"}:
                room.begin()
            case {"do": "step", "place": int(place)}:
                room.step(place)
            case {"do": "note", "exercise": str(exercise), "text": str(text)}:
                room.note(exercise, text)
            case {"do": "close"}:
                room.close()
            case {"do": "paste", "text": str(text)}:
                return room.paste(text)
            case {"do": "hands", "exercise": str(exercise), "round": round, "counts": counts}:
                room.raise_hands(exercise, round, counts)
            case {"do": "mark", "exercise": str(exercise), "key": key}:
                room.mark(exercise, key)
            case _:
                raise ValueError(f"do: expected {WORDS}, with its fields")
        return {"done": True}


class Table(InstructorHandler):
    """What the class answered, which ideas moved, or counts, as a file for a spreadsheet."""

    route = "csv"

    async def get(self, name: str) -> None:
        self.set_header("Content-Type", "text/csv; charset=UTF-8")
        self.set_header("Content-Disposition", f'attachment; filename="{name}.csv"')
        self.finish(await self.work(TABLES[name], self.room))


class MovesPicture(InstructorHandler):
    """The picture as SVG or PNG."""

    route = "moves picture"
    drawing = asyncio.Semaphore(1)

    async def get(self, form: str) -> None:
        found = await self.work(told, self.room)
        async with MovesPicture.drawing:
            drawn = await draw(found, form)
        self.set_header("Content-Type", TYPES[form])
        self.finish(drawn)


class Guides(InstructorHandler):
    """The plans, and what is said at each question: for the desk, asked for once."""

    route = "guides"

    async def get(self) -> None:
        self.finish(await self.work(guides, self.room))


class Moves(InstructorHandler):
    """The same ideas as plain values, for the desk's table."""

    route = "moves"

    async def get(self) -> None:
        self.finish({"ideas": await self.work(told, self.room)})


async def draw(found: list[dict[str, Any]], form: str) -> bytes:
    """The picture's bytes; raises Refused (503) where it cannot be drawn here."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "attn_lab.classroom.count.moves", form),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        drawn = process.communicate(json.dumps(found).encode())
        out, _ = await asyncio.wait_for(drawn, PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise Refused(SLOW_PICTURE) from None
    if process.returncode:
        raise Refused(NO_PICTURE)
    return out


def instructor_application(room: Room, **settings: Any) -> Application:
    """The application that answers on 127.0.0.1."""
    routes: list[Any] = [
        (rf"/((?:desk|stage|enter)(?:\.html)?|{ASSETS})", Page, {"path": str(FOLDER)}),
        (r"/", Home),
        (r"/enter-with", Enter),
        (r"/link", Link),
        (r"/control", Control),
        (r"/(desk|stage)/events", Events),
        (r"/(answers|moves|counts)\.csv", Table),
        (r"/moves\.(svg|png)", MovesPicture),
        (r"/moves", Moves),
        (r"/guides", Guides),
        (r".*", NotHere),
    ]
    application = Application(
        default_handler_class=OtherHost,
        log_function=log_request,
        cookie_secret=room.cookie_secret(),
        wrong_keys=Limits(1, 10),
        streams=set(),
        room=room,
        **settings,
    )
    application.add_handlers(HOSTS, routes)
    return application

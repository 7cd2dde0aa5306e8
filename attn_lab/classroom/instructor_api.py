"""What the instructor's two pages ask for, and what they may change."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tornado.iostream import StreamClosedError

from attn_lab.classroom import sights
from attn_lab.classroom.bell import Bell
from attn_lab.classroom.csv_report import answers_csv, moves_csv
from attn_lab.classroom.gate import InstructorReply
from attn_lab.classroom.keys import exchange, new_link
from attn_lab.classroom.limits import Limits
from attn_lab.classroom.replies import Refused

AT_MOST_EVERY = 0.2  # seconds between two updates of a page
STILL_THERE = 15  # seconds of silence after which a page is told that the server lives
MOST_STREAMS = 32


class Enter(InstructorReply):
    """The way in: the key of an unused link becomes a cookie."""

    route = "enter"
    needs_cookie = False

    async def post(self) -> None:
        limits: Limits = self.application.settings["wrong_keys"]
        key = self.body().get("key")
        session = None
        if isinstance(key, str):
            session = await self.work(exchange, self.room.database, key)
        if session is None:
            if not limits.allow("key"):
                raise Refused(429, "too many wrong keys", retry_after=5)
            raise Refused(401, "this link has been used; restart `attn-lab class` for another")
        self.set_cookie(
            self.cookie_name(), session, httponly=True, samesite="Strict", path="/", expires_days=1
        )
        self.finish({"entered": True})


class Link(InstructorReply):
    """Another one-time link, for a second browser."""

    route = "link"

    async def post(self) -> None:
        self.finish({"link": "/enter#" + await self.work(new_link, self.room.database)})


class Control(InstructorReply):
    """The instructor's word: move on, read a chat, count hands, mark the computed answer."""

    route = "control"

    async def post(self) -> None:
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
            case {"do": "paste", "text": str(text)}:
                return room.paste(text)
            case {"do": "hands", "exercise": str(exercise), "round": round, "counts": counts}:
                room.raise_hands(exercise, round, counts)
            case {"do": "mark", "exercise": str(exercise), "key": key}:
                room.mark(exercise, key)
            case _:
                raise ValueError("expected one of: move, paste, hands, mark, with its fields")
        return {"done": True}


class Events(InstructorReply):
    """A stream of whole states, one whenever something has changed."""

    route = "events"
    mine: asyncio.Task[None] | None = None

    async def get(self, page: str) -> None:
        streams: set[Events] = self.application.settings["streams"]
        if len(streams) >= MOST_STREAMS:
            raise Refused(503, "too many open pages", retry_after=5)
        self.set_header("Content-Type", "text/event-stream")
        bell: Bell = self.application.settings["bell"]
        see = sights.stage if page == "stage" else sights.desk
        streams.add(self)
        self.mine = asyncio.current_task()
        heard = -1
        try:
            while not self.application.settings["closing"].is_set():
                fresh, heard = bell.rung != heard, bell.rung
                told = json.dumps(await self.work(see, self.room)) if fresh else ""
                self.write(f"data: {told}\n\n" if fresh else ": still here\n\n")
                await self.flush()
                await asyncio.sleep(AT_MOST_EVERY)
                await bell.wait(heard, at_most=STILL_THERE)
        except (StreamClosedError, asyncio.CancelledError):
            pass
        except Refused:  # the database is away; the page opens the stream again by itself
            pass
        finally:
            streams.discard(self)

    def on_connection_close(self) -> None:
        if self.mine is not None:  # a page that has gone is not waited for
            self.mine.cancel()


class Table(InstructorReply):
    """What the class answered, or which ideas moved, as a file for a spreadsheet."""

    route = "csv"

    async def get(self, name: str) -> None:
        make = answers_csv if name == "answers" else moves_csv
        self.set_header("Content-Type", "text/csv; charset=UTF-8")
        self.set_header("Content-Disposition", f'attachment; filename="{name}.csv"')
        self.finish(await self.work(lambda: make(self.room)))

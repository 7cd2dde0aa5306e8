"""What the instructor's two pages ask for, and what they may change."""

from __future__ import annotations

from typing import Any

from attn_lab.classroom.csv_report import TABLES
from attn_lab.classroom.gate import InstructorReply
from attn_lab.classroom.keys import exchange, new_link
from attn_lab.classroom.limits import Limits
from attn_lab.classroom.replies import Refused

LARGEST_CHAT = 1024 * 1024
USED = (
    "this link has been used; for another press “Another one-time link for yourself” at the desk, "
    "under “How to join”, or restart `attn-lab class`"
)


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
            raise Refused(401, USED)
        self.set_cookie(
            self.cookie_name(), session, httponly=True, samesite="Strict", path="/", expires_days=1
        )
        self.finish({"entered": True})


class Home(InstructorReply):
    """The bare address, as somebody types it."""

    route = "home"
    needs_cookie = False

    def get(self) -> None:
        self.redirect("/desk")


class Link(InstructorReply):
    """Another one-time link, for a second browser."""

    route = "link"

    async def post(self) -> None:
        self.finish({"link": "/enter#" + await self.work(new_link, self.room.database)})


class Control(InstructorReply):
    """The instructor's word: move on, read a chat, count hands, mark the computed answer."""

    route = "control"

    async def post(self) -> None:
        if len(self.request.body) > LARGEST_CHAT:
            raise Refused(413, "too large: at most 1 MB; paste the last part of it")
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


class Table(InstructorReply):
    """What the class answered, which ideas moved, or counts, as a file for a spreadsheet."""

    route = "csv"

    async def get(self, name: str) -> None:
        self.set_header("Content-Type", "text/csv; charset=UTF-8")
        self.set_header("Content-Disposition", f'attachment; filename="{name}.csv"')
        self.finish(await self.work(TABLES[name], self.room))

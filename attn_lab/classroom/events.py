"""The stream that keeps desk and stage at what the room is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tornado.iostream import StreamClosedError

from attn_lab.classroom import sights
from attn_lab.classroom.bell import Bell
from attn_lab.classroom.gate import InstructorReply
from attn_lab.classroom.replies import Refused
from attn_lab.classroom.room import Room

AT_MOST_EVERY = 0.2  # seconds between two updates of a page
STILL_THERE = 15  # seconds of silence after which a page is told that the server lives
MOST_STREAMS = 32


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
                self.write(await self._told(see) if fresh else ": still here\n\n")
                await self.flush()
                await asyncio.sleep(AT_MOST_EVERY)
                await bell.wait(heard, at_most=STILL_THERE)
        except (StreamClosedError, asyncio.CancelledError):
            pass
        finally:
            streams.discard(self)

    async def _told(self, see: Callable[[Room], dict[str, Any]]) -> str:
        try:
            state = await self.work(see, self.room)
        except Refused as refused:  # the database is away: the page is told, and asks again
            state = {"trouble": refused.said}
            asyncio.get_running_loop().call_later(2, self.application.settings["bell"].ring)
        return f"data: {json.dumps(state)}\n\n"

    def on_connection_close(self) -> None:
        if self.mine is not None:  # a page that has gone is not waited for
            self.mine.cancel()

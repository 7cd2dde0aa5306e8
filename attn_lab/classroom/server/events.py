"""What desk and stage see of the room, and the stream that keeps them at it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from tornado.iostream import StreamClosedError

from attn_lab.classroom.count.moves import idea_name
from attn_lab.classroom.count.tally import advice, computed_key
from attn_lab.classroom.count.votes import hand_groups
from attn_lab.classroom.server.instructor_access import InstructorHandler
from attn_lab.classroom.server.replies import Refused
from attn_lab.classroom.server.room import Room
from attn_lab.classroom.wire import Reason

AT_MOST_EVERY = 0.2  # seconds between two updates of a page
STILL_THERE = 15  # seconds of silence after which a page is told that the server lives
MOST_STREAMS = 32
TOO_MANY_PAGES = Reason("too-many-pages", 503, "too many open pages", 5)
MARK = "Mark the bar that is the computed answer: the rule follows from it."


def stage(room: Room) -> dict[str, Any]:
    """What the room may see: counts alone, until the instructor shows both rounds."""
    told, state = _common(room), room.state
    if state.exercise:
        counted = room.tally(state.exercise)
        told["answered"] = counted.spread.answered
        if state.phase == "shown":
            told["spread"] = counted.spread.for_stage()
    return told


def desk(room: Room) -> dict[str, Any]:
    """What the instructor sees: the spread at once, its meaning, and all exercises."""
    told, counts = _common(room), room.database.counts()
    told["trouble"] = room.troubles()
    told["exercises"] = [
        {"id": q.id, "discuss": q.discuss, "minutes": q.minutes, "answered": counts.get(q.id, 0)}
        for q in room.course.values()
    ]
    if room.state.exercise:
        question = room.course[room.state.exercise]
        counted = room.tally(question.id)
        hands = room.hands.get(question.id, {})
        key = computed_key(question, room.computed.get(question.id), hands)
        told |= {"prompt": question.prompt, "ask_next": question.ask_next, "computed": key}
        told |= {"groups": [asdict(group) for group in hand_groups(question)]}
        told |= {"answered": counted.spread.answered, "spread": counted.spread.for_desk()}
        for bar in told["spread"]["bars"]:
            bar["idea"] = idea_name(bar["misconception"])
            if bar["meaning"] in bar["idea"]:
                bar["meaning"] = ""  # the same words twice help nobody
        told |= {"sources": counted.sources, "practised": counted.practised}
        # one hasty second answer makes no second vote: that is opened by the instructor
        again = room.state.phase in ("second", "shown") and bool(counted.spread.answered[1])
        share = counted.share(key, int(again))
        said = advice(share, discuss=question.discuss, again=again)
        mark = MARK if key is None and counted.spread.bars else ""
        told |= {"share": share, "advice": said or mark, "hands": hands}
    return told


def _common(room: Room) -> dict[str, Any]:
    told = asdict(room.state) | {"now": time.time(), "invented": room.invented}
    return told | {"joined": room.database.joined(), "join": room.join_string()}


class Bell:
    """A count of changes; whoever waits is woken by the next. Rung in the server's loop only."""

    def __init__(self) -> None:
        self.rung = 0
        self._next = asyncio.Event()

    def ring(self) -> None:
        """Say that something has changed."""
        self.rung += 1
        self._next.set()
        self._next = asyncio.Event()

    async def wait(self, heard: int, *, at_most: float) -> int:
        """The count once it differs from `heard`, or after `at_most` seconds."""
        if self.rung == heard:
            try:
                await asyncio.wait_for(self._next.wait(), at_most)
            except TimeoutError:
                pass
        return self.rung


class Events(InstructorHandler):
    """A stream of whole states, one whenever something has changed."""

    route = "events"
    mine: asyncio.Task[None] | None = None

    async def get(self, page: str) -> None:
        streams: set[Events] = self.application.settings["streams"]
        if len(streams) >= MOST_STREAMS:
            raise Refused(TOO_MANY_PAGES)
        self.set_header("Content-Type", "text/event-stream")
        bell: Bell = self.application.settings["bell"]
        see = stage if page == "stage" else desk
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
            state = {"trouble": refused.reply.error}
            asyncio.get_running_loop().call_later(2, self.application.settings["bell"].ring)
        return f"data: {json.dumps(state)}\n\n"

    def on_connection_close(self) -> None:
        if self.mine is not None:  # a page that has gone is not waited for
            self.mine.cancel()

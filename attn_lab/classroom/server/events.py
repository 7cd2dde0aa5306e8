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
from attn_lab.classroom.count.tally import (
    NOT_SHOWN,
    TOO_FEW,
    WHO_IS_TOLD,
    Tally,
    advice,
    computed_key,
)
from attn_lab.classroom.count.votes import hand_groups
from attn_lab.classroom.server.instructor_access import InstructorHandler
from attn_lab.classroom.server.replies import Refused
from attn_lab.classroom.server.view import View
from attn_lab.classroom.wire import Reason
from attn_lab.course.kinds import Question

AT_MOST_EVERY = 0.2  # seconds between two updates of a page
STILL_THERE = 15  # seconds of silence after which a page is told that the server lives
MOST_STREAMS = 32
TOO_MANY_PAGES = Reason("too-many-pages", 503, "too many open pages", 5)
NONE_OF_THESE = "None of these is the computed answer."
MARK = "Mark the bar that is the computed answer: the rule follows from it."


def stage(view: View) -> dict[str, Any]:
    """What the room may see: counts alone, until the instructor shows both rounds."""
    told = _common(view)
    if view.given and view.tally:
        question = view.given.grouping.question
        paper = question.on_paper()
        told["question"] = {"prompt": question.prompt, "options": paper.options}
        told["question"]["caption"] = paper.caption
        told["answered"] = view.tally.spread.answered
        if view.state.phase == "shown":
            key = computed_key(view.given)
            told["spread"] = view.tally.spread.for_stage(
                hidden=view.hidden, computed=key if view.state.told else None
            )
            shown = {bar.key for bar in view.tally.spread.bars}
            if view.state.told and key not in shown:
                right = view.given.grouping.right
                told["elsewhere"] = f"Computed: {right.label}" if right else NONE_OF_THESE
    return told


def desk(view: View) -> dict[str, Any]:
    """What the instructor sees: the spread at once, its meaning, and all exercises."""
    told = _common(view) | {"trouble": view.trouble, "rule": WHO_IS_TOLD}
    told |= {"agenda": asdict(view.agenda), "notes": view.notes}
    told["exercises"] = [
        {"id": q.id, "discuss": q.discuss, "minutes": q.minutes} | {"answered": view.counts[q.id]}
        for q in view.course
    ]
    if view.given and view.tally:
        question, counted, hands = view.given.grouping.question, view.tally, view.given.hands
        key = computed_key(view.given)
        told |= {"prompt": question.prompt, "ask_next": question.ask_next, "computed": key}
        told |= {"groups": [asdict(group) for group in hand_groups(question)]}
        told |= {"answered": counted.spread.answered, "spread": counted.spread.for_desk()}
        for bar in told["spread"]["bars"]:
            bar["idea"] = idea_name(bar["misconception"])
            if bar["meaning"] in bar["idea"]:
                bar["meaning"] = ""  # the same words twice help nobody
        told |= {"sources": counted.sources, "practised": counted.practised, "late": counted.late}
        told |= {"hands": hands, "not_shown": None if question.closed else NOT_SHOWN}
        told["hidden"] = sorted(view.hidden)
        told |= _rule_of_thumb(question, counted, key, view.state.phase)
    return told


def _rule_of_thumb(
    question: Question, counted: Tally, key: str | None, phase: str
) -> dict[str, Any]:
    again = phase in ("second", "shown") and bool(counted.spread.answered[1])
    share = counted.share(key, int(again))
    said = advice(share, discuss=question.discuss, again=again)
    if not said and any(counted.spread.answered):
        said = MARK if key is None else TOO_FEW
    return {"share": share, "share_said": counted.share_said(key, int(again)), "advice": said}


def _common(view: View) -> dict[str, Any]:
    told = asdict(view.state) | {"now": time.time(), "closed": view.closed}
    return told | {"invented": view.invented, "joined": view.joined, "join": view.join}


class Bell:
    """A count of changes; whoever waits is woken by the next. Rung in the server's loop only.

    `view` is what all pages see of the room since the change number `seen`, one of them looking.
    """

    def __init__(self) -> None:
        self.rung, self.seen = 0, -1
        self.view: View | None = None
        self.looking = asyncio.Lock()
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
                fresh, anew, heard = bell.rung != heard, heard < 0, bell.rung
                self.write(await self._told(see, anew=anew) if fresh else ": still here\n\n")
                await self.flush()
                await asyncio.sleep(AT_MOST_EVERY)
                await bell.wait(heard, at_most=STILL_THERE)
        except (StreamClosedError, asyncio.CancelledError):
            pass
        finally:
            streams.discard(self)

    async def _told(self, see: Callable[[View], dict[str, Any]], *, anew: bool) -> str:
        try:
            state = see(await self._view(anew))
        except Refused as refused:  # the database is away: the page is told, and asks again
            state = {"trouble": refused.reply.error}
            asyncio.get_running_loop().call_later(2, self.application.settings["bell"].ring)
        return f"data: {json.dumps(state)}\n\n"

    async def _view(self, anew: bool) -> View:
        """What is to be seen now, read and counted once for all pages that ask.

        Counting has a thread of its own: in the database's, answers would wait for it.
        """
        bell: Bell = self.application.settings["bell"]
        async with bell.looking:
            if anew or bell.view is None or bell.seen != bell.rung:
                seen, view = bell.rung, await self.work(self.room.view)
                await asyncio.to_thread(getattr, view, "tally")
                bell.seen, bell.view = seen, view
            return bell.view

    def on_connection_close(self) -> None:
        if self.mine is not None:  # a page that has gone is not waited for
            self.mine.cancel()

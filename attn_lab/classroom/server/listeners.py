"""One process, two listeners: learners may write here, the instructor alone may read there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import URL
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.events import Bell
from attn_lab.classroom.server.instructor import LARGEST_CHAT, instructor_application
from attn_lab.classroom.server.instructor_access import new_link
from attn_lab.classroom.server.learners import learner_application
from attn_lab.classroom.server.room import Room
from attn_lab.course.kinds import Question

LARGEST_ANSWER = 256 * 1024  # Tornado closes the connection above this; 413 is said far below it
LARGEST_BODY = 4 * LARGEST_CHAT  # above it Tornado closes the connection and says nothing
PATIENCE = 10  # seconds for a request to arrive, so that half-open connections do not pile up


@dataclass
class ClassServer:
    """A running class: its room, what its applications share, and the ports on which it answers."""

    room: Room
    worker: ThreadPoolExecutor
    bell: Bell = field(default_factory=Bell)
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    learners: HTTPServer | None = None
    instructor: HTTPServer | None = None
    learner_port: int | None = None
    instructor_port: int = 0

    def shared(self) -> dict[str, Any]:
        """The settings that every application of this class needs."""
        return {name: getattr(self, name) for name in ("room", "worker", "bell", "closing")}

    async def work(self, job: Any, *args: Any) -> Any:
        """Run a job in the thread that may touch the database."""
        return await asyncio.get_running_loop().run_in_executor(self.worker, job, *args)

    async def link(self) -> str:
        """A new one-time link for the instructor."""
        key = await self.work(new_link, self.room.database)
        return f"http://127.0.0.1:{self.instructor_port}/enter#{key}"

    async def stop(self) -> None:
        """Take no more requests, finish those it has, close the database."""
        self.closing.set()
        self.bell.ring()
        for server in filter(None, (self.learners, self.instructor)):
            server.stop()
            await server.close_all_connections()
        await self.work(self.room.database.engine.dispose)
        self.worker.shutdown()


async def open_class(
    url: str | URL,
    course: Mapping[str, Question],
    *,
    right: Mapping[str, Any] | None = None,
    invented: bool = False,
) -> ClassServer:
    """Open the class at a database's URL; nobody can reach it yet.

    `right` holds the computed answers that are known, by the question's id.
    """
    logging.getLogger("tornado").setLevel(logging.CRITICAL)  # its lines would hold addresses
    worker = ThreadPoolExecutor(1, thread_name_prefix="class-database")
    room = await asyncio.get_running_loop().run_in_executor(
        worker, lambda: Room(ClassDatabase(url), course, right=right, invented=invented)
    )
    return ClassServer(room, worker)


async def start(
    url: str | URL,
    course: Mapping[str, Question],
    *,
    learner_host: str | None = None,
    learner_port: int = 0,
    instructor_port: int = 0,
    right: Mapping[str, Any] | None = None,
    invented: bool = False,
) -> ClassServer:
    """Open the class and answer; without a `learner_host` no learner can reach it.

    Raises: OSError where a port is taken.
    """
    server = await open_class(url, course, right=right, invented=invented)
    options = {"idle_connection_timeout": PATIENCE, "body_timeout": PATIENCE}
    sockets = bind_sockets(instructor_port, "127.0.0.1")
    application = instructor_application(**server.shared())
    server.instructor = HTTPServer(application, max_body_size=LARGEST_BODY, **options)
    server.instructor_port = sockets[0].getsockname()[1]
    if learner_host is not None:
        listening = bind_sockets(learner_port, learner_host)
        application = learner_application(**server.shared())
        server.learners = HTTPServer(application, max_body_size=LARGEST_ANSWER, **options)
        server.learners.add_sockets(listening)
        server.learner_port = listening[0].getsockname()[1]
    server.instructor.add_sockets(sockets)
    return server

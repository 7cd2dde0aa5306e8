"""The class as a service of a JupyterHub: `python -m attn_lab.classroom.hub`.

The Hub knows who everybody is, so there is no join code and no one-time link: a learner's kernel
sends with its own Hub token and can write its own answers alone; desk and stage open for whoever
has the scope `custom:attn-lab-class:read`, in the browser. The Hub starts this process (a managed
service), or somebody else does with the same variables (an external one, as on Kubernetes).
Environment: JUPYTERHUB_SERVICE_URL, JUPYTERHUB_SERVICE_PREFIX and what the Hub gives its services;
ATTN_LAB_CLASS_DATABASE, a SQLAlchemy URL (default: a SQLite file in the working folder).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from sqlalchemy.exc import SQLAlchemyError
from tornado.httpserver import HTTPServer
from tornado.web import Application

from attn_lab.classroom.bell import Bell
from attn_lab.classroom.database import ClassDatabase
from attn_lab.classroom.hub_routes import hub_routes
from attn_lab.classroom.limits import Limits
from attn_lab.classroom.places import more_files
from attn_lab.classroom.replies import NotHere, log_request
from attn_lab.classroom.room import Room
from attn_lab.classroom.server import LARGEST_BODY, PATIENCE
from attn_lab.course.questions import questions

DATABASE = "sqlite:///attn-lab-class.sqlite"
INVITATION = "Everybody on this Hub is in the class: what is committed is sent."


def hub_application(room: Room, worker: ThreadPoolExecutor, prefix: str) -> Application:
    """Returns the application that answers under the service's prefix."""
    # The pages' sessions outlive this process: a managed service starts anew with each Hub.
    secret = hmac.new(room.salt.encode(), b"cookies", hashlib.sha256).hexdigest()
    return Application(
        hub_routes(prefix),
        default_handler_class=NotHere,
        log_function=log_request,
        cookie_secret=secret,
        room=room,
        worker=worker,
        bell=Bell(),
        closing=asyncio.Event(),
        streams=set(),
        own_rate=Limits(2, 60),
    )


async def serve() -> None:
    """Opens the class and answers until it is told to stop."""
    worker = ThreadPoolExecutor(1, thread_name_prefix="class-database")
    loop = asyncio.get_running_loop()
    url = os.environ.get("ATTN_LAB_CLASS_DATABASE", DATABASE)
    course = {question.id: question for question in questions()}
    room = await loop.run_in_executor(worker, lambda: Room(ClassDatabase(url), course))
    room.invitation = INVITATION
    application = hub_application(room, worker, os.environ["JUPYTERHUB_SERVICE_PREFIX"])
    options = {"idle_connection_timeout": 60, "body_timeout": PATIENCE}
    server = HTTPServer(application, max_body_size=LARGEST_BODY, xheaders=True, **options)
    at = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"])
    server.listen(at.port or 80, at.hostname or "127.0.0.1")
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
    application.settings["closing"].set()
    application.settings["bell"].ring()
    server.stop()
    await server.close_all_connections()
    await loop.run_in_executor(worker, room.database.engine.dispose)


def main() -> int:
    """Runs the service; returns the exit status."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stderr)
    logging.getLogger("tornado").setLevel(logging.CRITICAL)  # its lines would hold addresses
    more_files()
    try:
        asyncio.run(serve())
    except SQLAlchemyError as error:
        print(f"The class cannot open its database: {type(error).__name__}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

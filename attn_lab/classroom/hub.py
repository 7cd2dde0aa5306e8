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
import logging
import os
import sys
from importlib import import_module
from typing import Any
from urllib.parse import quote, urlsplit

from sqlalchemy.exc import SQLAlchemyError
from tornado.httpserver import HTTPServer
from tornado.web import Application

from attn_lab.classroom.server.admission import Limits, pseudonym
from attn_lab.classroom.server.events import Events
from attn_lab.classroom.server.instructor import (
    ASSETS,
    FOLDER,
    Control,
    Guides,
    Moves,
    MovesPicture,
    Page,
    Table,
)
from attn_lab.classroom.server.instructor_access import InstructorHandler
from attn_lab.classroom.server.learners import Answers, Hello, Join, Leave
from attn_lab.classroom.server.listeners import LARGEST_BODY, PATIENCE, open_class
from attn_lab.classroom.server.replies import NotHere, Refused, log_request
from attn_lab.classroom.server.room import Room
from attn_lab.classroom.server.startup import asked_to_stop, more_files
from attn_lab.classroom.wire import Reason
from attn_lab.course.questions import questions
from attn_lab.course.reference import computed_answers

DATABASE = "sqlite:///attn-lab-class.sqlite"
INVITATION = "Everybody on this Hub is in the class: what is committed is sent."
READ = "custom:attn-lab-class:read"
HUB_AWAY = Reason("hub-away", 503, "the Hub does not answer just now", 5)
NO_TOKEN = Reason("no-token", 401, "expected the token of a Hub's user")
NOT_LET_IN = Reason("not-let-in", 403, "this Hub's administrator has not let this user in")
LOG_IN = Reason("log-in", 401, "log in to the Hub, then open the desk again")
NO_INSTRUCTOR = Reason(
    "no-instructor", 403, "desk and stage are open for this Hub's instructors alone"
)


async def hub_user(handler: Any) -> dict[str, Any] | None:
    """Who the Hub says this is, None for nobody it knows.

    Raises: Refused (503) where the Hub does not answer, so that the sender tries again.
    """
    try:
        return await handler.hub_auth.get_user(handler, sync=False)
    except Exception:  # whatever goes wrong on the way to the Hub
        raise Refused(HUB_AWAY) from None


def learners(oauth: type) -> type:
    """What makes a learner's request one of a Hub's user, known by the kernel's token."""

    class HubLearner(oauth):
        async def who(self) -> str:
            user = await hub_user(self)
            # A cookie would do for a page of the Hub that a learner is made to open, also beside a
            # token that is none. JupyterHub 6.1.1 says in private alone which one it went by;
            # without its word nobody is let in.
            if user is None or not getattr(self, "_token_authenticated", False):
                raise Refused(NO_TOKEN)
            access = self.hub_auth.access_scopes
            if user.get("kind") != "user" or not self.hub_auth.check_scopes(access, user):
                raise Refused(NOT_LET_IN)
            return pseudonym(self.room.salt, f"hub user {user['name']}")

        def source(self) -> None:
            return None  # the Hub's proxy has one address for all of its users

        def check_xsrf_cookie(self) -> None:
            return None  # nobody is let in by a cookie here

    return HubLearner


def instructors(oauth: type) -> type:
    """What makes a request one of an instructor's browser."""

    class HubInstructor(oauth):
        redirects = False

        async def prepare(self) -> None:
            user = await hub_user(self)  # checks the token against forged requests, too
            if user is None:
                if self.redirects:
                    self.redirect(self.get_login_url())
                    return
                raise Refused(LOG_IN)
            if READ not in user.get("scopes", []):
                raise Refused(NO_INSTRUCTOR)

    return HubInstructor


def hub_routes(prefix: str) -> list[Any]:
    """The routes under the service's prefix."""
    auth = import_module("jupyterhub.services.auth")
    learner, instructor = learners(auth.HubOAuthenticated), instructors(auth.HubOAuthenticated)

    def mixed(mixin: type, base: type) -> Any:
        return type(f"Hub{base.__name__}", (mixin, base), {})

    class HubPage(instructor, InstructorHandler):  # type: ignore[misc, valid-type]
        route, redirects = "page", True

        async def get(self, name: str) -> None:
            self.set_header("Content-Type", "text/html; charset=UTF-8")
            page = (FOLDER / f"{name}.html").read_text()
            query = f"?_xsrf={quote(self.xsrf_token.decode())}"
            self.finish(page.replace("<body", f'<body data-query="{query}"', 1))

    class HubFile(Page):
        async def prepare(self) -> None:  # nothing of the class is in these files
            return None

    routes: list[Any] = [
        ("", Hello),
        ("join", mixed(learner, Join)),
        ("leave", mixed(learner, Leave)),
        ("answers", mixed(learner, Answers)),
        ("(desk|stage)", HubPage),
        (f"({ASSETS})", HubFile, {"path": str(FOLDER)}),
        ("control", mixed(instructor, Control)),
        ("(desk|stage)/events", mixed(instructor, Events)),
        (r"(answers|moves|counts)\.csv", mixed(instructor, Table)),
        (r"moves\.(svg|png)", mixed(instructor, MovesPicture)),
        ("moves", mixed(instructor, Moves)),
        ("guides", mixed(instructor, Guides)),
        ("oauth_callback", auth.HubOAuthCallbackHandler),
    ]
    start = "/" + prefix.strip("/") + "/"
    return [(start.replace("//", "/") + path, *handler) for path, *handler in routes]


def hub_application(prefix: str, room: Room, **settings: Any) -> Application:
    """The application that answers under the service's prefix."""
    return Application(
        hub_routes(prefix),
        default_handler_class=NotHere,
        log_function=log_request,
        cookie_secret=room.cookie_secret(),
        streams=set(),
        own_rate=Limits(2, 60),
        room=room,
        **settings,
    )


async def serve() -> None:
    """Open the class and answer until it is told to stop."""
    url = os.environ.get("ATTN_LAB_CLASS_DATABASE", DATABASE)
    course = {question.id: question for question in questions()}
    server = await open_class(url, course, right=computed_answers())
    server.room.invitation = INVITATION
    stop = asked_to_stop()
    application = hub_application(os.environ["JUPYTERHUB_SERVICE_PREFIX"], **server.shared())
    options = {"idle_connection_timeout": 60, "body_timeout": PATIENCE}
    server.instructor = HTTPServer(
        application, max_body_size=LARGEST_BODY, xheaders=True, **options
    )
    at = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"])
    server.instructor.listen(at.port or 80, at.hostname or "127.0.0.1")
    await stop.wait()
    await server.stop()


def main() -> int:
    """Run the service until it is told to stop: the exit status."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, stream=sys.stderr)
    more_files()
    try:
        asyncio.run(serve())
    except SQLAlchemyError as error:
        print(f"The class cannot open its database: {type(error).__name__}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""The same requests as on a laptop, with the Hub saying who asks.

The classes are made on demand, since only a Hub's machine has jupyterhub.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any
from urllib.parse import quote

from tornado.web import RequestHandler

from attn_lab.classroom.events import Events
from attn_lab.classroom.instructor_api import Control, Table
from attn_lab.classroom.learner_api import Answers, Hello, Join
from attn_lab.classroom.moves_reply import Moves, MovesPicture
from attn_lab.classroom.pages import FOLDER, Page
from attn_lab.classroom.pseudonyms import pseudonym
from attn_lab.classroom.replies import Refused

READ = "custom:attn-lab-class:read"


async def hub_user(handler: Any) -> dict[str, Any] | None:
    """Returns who the Hub says this is, None for nobody it knows.

    Raises: Refused (503) where the Hub does not answer, so that the sender tries again.
    """
    try:
        return await handler.hub_auth.get_user(handler, sync=False)
    except Exception:  # whatever goes wrong on the way to the Hub
        raise Refused(503, "the Hub does not answer just now", retry_after=5) from None


def learners(oauth: type) -> type:
    """Returns what makes a learner's request one of a Hub's user, known by the kernel's token."""

    class HubLearner(oauth):
        async def who(self) -> str:
            user = await hub_user(self)
            # A cookie would do for a page of the Hub that a learner is made to open, also beside a
            # token that is none. JupyterHub 6.1.1 says in private alone which one it went by;
            # without its word nobody is let in.
            if user is None or not getattr(self, "_token_authenticated", False):
                raise Refused(401, "expected the token of a Hub's user")
            access = self.hub_auth.access_scopes
            if user.get("kind") != "user" or not self.hub_auth.check_scopes(access, user):
                raise Refused(403, "this Hub's administrator has not let this user in")
            return pseudonym(self.room.salt, f"hub user {user['name']}")

        def source(self) -> None:
            return None  # the Hub's proxy has one address for all of its users

        def check_xsrf_cookie(self) -> None:
            return None  # nobody is let in by a cookie here

    return HubLearner


def instructors(oauth: type) -> type:
    """Returns what makes a request one of an instructor's browser."""

    class HubInstructor(oauth):
        redirects = False

        async def prepare(self) -> None:
            user = await hub_user(self)  # checks the token against forged requests, too
            if user is None:
                if self.redirects:
                    self.redirect(self.get_login_url())
                    return
                raise Refused(401, "log in to the Hub, then open the desk again")
            if READ not in user.get("scopes", []):
                raise Refused(403, "desk and stage are open for this Hub's instructors alone")

    return HubInstructor


def hub_routes(prefix: str) -> list[tuple[str, type[RequestHandler]]]:
    """Returns the routes under the service's prefix."""
    auth = import_module("jupyterhub.services.auth")
    learner, instructor = learners(auth.HubOAuthenticated), instructors(auth.HubOAuthenticated)

    def mixed(mixin: type, base: type) -> Any:
        return type(f"Hub{base.__name__}", (mixin, base), {})

    class HubPage(instructor, Page):  # type: ignore[misc, valid-type]
        redirects = True

        async def get(self, name: str) -> None:
            self.set_header("Content-Type", "text/html; charset=UTF-8")
            page = (FOLDER / f"{name}.html").read_text()
            query = f"?_xsrf={quote(self.xsrf_token.decode())}"
            self.finish(page.replace("<body", f'<body data-query="{query}"', 1))

    class HubFile(Page):
        async def prepare(self) -> None:  # nothing of the class is in these files
            return None

    files = "|".join(path.name.replace(".", r"\.") for path in sorted(FOLDER.glob("*.[jc]s*")))
    routes = [
        ("", Hello),
        ("join", mixed(learner, Join)),
        ("answers", mixed(learner, Answers)),
        ("(desk|stage)", HubPage),
        (f"({files})", HubFile),
        ("control", mixed(instructor, Control)),
        ("(desk|stage)/events", mixed(instructor, Events)),
        (r"(answers|moves|counts)\.csv", mixed(instructor, Table)),
        (r"moves\.(svg|png)", mixed(instructor, MovesPicture)),
        ("moves", mixed(instructor, Moves)),
        ("oauth_callback", auth.HubOAuthCallbackHandler),
    ]
    start = "/" + prefix.strip("/") + "/"
    return [(start.replace("//", "/") + path, handler) for path, handler in routes]

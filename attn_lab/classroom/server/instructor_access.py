"""Who may use the instructor's pages: this machine's browser, on these pages, with the cookie.

The way in is a link that works once, exchanged for a cookie that stays.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from urllib.parse import urlsplit

from attn_lab.classroom.server.database import ClassDatabase
from attn_lab.classroom.server.limits import Limits
from attn_lab.classroom.server.replies import Handler, Refused
from attn_lab.classroom.wire import Reason

HOSTS = {"127.0.0.1", "localhost", "::1"}
MOST_SESSIONS = 20
LINK_SECONDS = 12 * 3600
NO_COOKIE = Reason("no-cookie", 401, "open the one-time link that `attn-lab class` printed")
USED = Reason(
    "link-used",
    401,
    "this link has been used; for another press “Another one-time link for yourself” at the desk, "
    "under “How to join”, or restart `attn-lab class`",
)
WRONG_KEYS = Reason("wrong-keys", 429, "too many wrong keys", 5)
OTHER_ORIGIN = Reason("other-origin", 403, "only this class's own pages may ask for this")
NO_ORIGIN = Reason("no-origin", 403, "expected a browser that says where a request comes from")
OTHER_HOST = Reason("other-host", 403, "this page answers to 127.0.0.1 and localhost alone")


class InstructorHandler(Handler):
    """A request to the instructor's listener; every route but the way in needs the cookie."""

    needs_cookie = True

    async def prepare(self) -> None:
        check_host(self.request.headers.get("Host", ""))
        self._check_origin()
        if self.needs_cookie and not await self.has_come_in():
            raise Refused(NO_COOKIE)

    async def has_come_in(self) -> bool:
        """Whether this browser has the cookie that a one-time link is exchanged for."""
        session = self.get_cookie(self.cookie_name(), "") or ""
        return bool(session) and await self.work(is_session, self.room.database, session)

    def cookie_name(self) -> str:
        """The cookie's name, which holds the port the browser sees, since cookies ignore ports."""
        return f"attn-lab-class-{urlsplit('//' + self.request.host).port or 80}"

    def _check_origin(self) -> None:
        # Another port of 127.0.0.1 is the same *site*: its pages get the cookie sent along
        # (JupyterLab may show a stranger's notebook), so the origin itself has to be looked at.
        headers = self.request.headers
        site = headers.get("Sec-Fetch-Site")
        typed = site == "none" or (site and headers.get("Sec-Fetch-Mode") == "navigate")
        reading = self.request.method in ("GET", "HEAD")
        if site and site != "same-origin" and not (reading and typed):
            raise Refused(OTHER_ORIGIN)
        origin = headers.get("Origin")
        if origin is not None and origin != f"{self.request.protocol}://{self.request.host}":
            raise Refused(OTHER_ORIGIN)
        if origin is None and site is None and not reading:
            raise Refused(NO_ORIGIN)


class Enter(InstructorHandler):
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
                raise Refused(WRONG_KEYS)
            raise Refused(USED)
        self.set_cookie(
            self.cookie_name(), session, httponly=True, samesite="Strict", path="/", expires_days=1
        )
        self.finish({"entered": True})


class Link(InstructorHandler):
    """Another one-time link, for a second browser."""

    route = "link"

    async def post(self) -> None:
        self.finish({"link": "/enter#" + await self.work(new_link, self.room.database)})


def check_host(host: str) -> None:
    """Refuse (403) a name that a foreign page could have been given for this machine."""
    try:
        name = urlsplit("//" + host).hostname
    except ValueError:
        name = None
    if name not in HOSTS:
        raise Refused(OTHER_HOST)


def new_link(database: ClassDatabase) -> str:
    """The key of a new one-time link; links that were made before stop working."""
    key = secrets.token_urlsafe(32)
    database.put("link", {"hash": _hash(key), "until": time.time() + LINK_SECONDS})
    return key


def exchange(database: ClassDatabase, key: str) -> str | None:
    """A new session for the key of an unused link, None for any other key."""
    link = database.get("link") or {"hash": "", "until": 0}
    if not secrets.compare_digest(link["hash"], _hash(key)) or time.time() > link["until"]:
        return None
    database.put("link", None)
    session = secrets.token_urlsafe(32)
    known = database.get("sessions", [])
    database.put("sessions", [*known, _hash(session)][-MOST_SESSIONS:])
    return session


def is_session(database: ClassDatabase, session: str) -> bool:
    """Whether a cookie is one of this class's; kept over restarts of the server."""
    mark = _hash(session)
    return any([secrets.compare_digest(mark, known) for known in database.get("sessions", [])])


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()

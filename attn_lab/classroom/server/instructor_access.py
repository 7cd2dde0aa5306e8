"""Who may use the instructor's pages: this machine's browser, on these pages, with the cookie.

The way in is a link that works once, exchanged for a signed cookie. Which name this machine was
called by is looked at before anything else, by the patterns of `instructor_application`.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from urllib.parse import urlsplit

from attn_lab.classroom.server.admission import Limits
from attn_lab.classroom.server.class_database import ClassDatabase
from attn_lab.classroom.server.replies import Handler, Refused
from attn_lab.classroom.wire import Reason

HOSTS = r"(127\.0\.0\.1|localhost|\[::1\])"  # a foreign page could give this machine another name
COOKIE_DAYS = 1
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
        self._check_origin()
        if self.needs_cookie and not self.has_come_in():
            raise Refused(NO_COOKIE)

    def has_come_in(self) -> bool:
        """Whether this browser has the cookie that a one-time link is exchanged for."""
        return self.get_signed_cookie(self.cookie_name(), max_age_days=COOKIE_DAYS) is not None

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
        if not isinstance(key, str) or not await self.work(use_link, self.room.database, key):
            if not limits.allow("key"):
                raise Refused(WRONG_KEYS)
            raise Refused(USED)
        self.set_signed_cookie(
            self.cookie_name(), "in", COOKIE_DAYS, path="/", httponly=True, samesite="Strict"
        )
        self.finish({"entered": True})


class OtherHost(Handler):
    """Whatever is asked of this machine under a name that a foreign page could have given it."""

    route = "other host"

    def prepare(self) -> None:
        raise Refused(OTHER_HOST)


class Link(InstructorHandler):
    """Another one-time link, for a second browser."""

    route = "link"

    async def post(self) -> None:
        self.finish({"link": "/enter#" + await self.work(new_link, self.room.database)})


def new_link(database: ClassDatabase) -> str:
    """The key of a new one-time link; links that were made before stop working."""
    key = secrets.token_urlsafe(32)
    database.put("link", {"hash": _hash(key), "until": time.time() + LINK_SECONDS})
    return key


def use_link(database: ClassDatabase, key: str) -> bool:
    """Whether this is the key of an unused link, which is used by it."""
    link = database.get("link") or {"hash": "", "until": 0}
    if not secrets.compare_digest(link["hash"], _hash(key)) or time.time() > link["until"]:
        return False
    database.put("link", None)
    return True


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()

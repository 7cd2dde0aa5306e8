"""Who may use the instructor's pages: this machine's browser, on these pages, with the cookie."""

from __future__ import annotations

from urllib.parse import urlsplit

from attn_lab.classroom.keys import is_session
from attn_lab.classroom.replies import Refused, Reply

HOSTS = {"127.0.0.1", "localhost", "::1"}


class InstructorReply(Reply):
    """A request to the instructor's listener; every route but the way in needs the cookie."""

    needs_cookie = True

    async def prepare(self) -> None:
        check_host(self.request.headers.get("Host", ""))
        self._check_origin()
        if self.needs_cookie and not await self.has_come_in():
            raise Refused(401, "open the one-time link that `attn-lab class` printed")

    async def has_come_in(self) -> bool:
        """Returns whether this browser has the cookie that a one-time link is exchanged for."""
        session = self.get_cookie(self.cookie_name(), "") or ""
        return bool(session) and await self.work(is_session, self.room.database, session)

    def cookie_name(self) -> str:
        """Cookies ignore ports, so the name holds the port that the browser sees."""
        return f"attn-lab-class-{urlsplit('//' + self.request.host).port or 80}"

    def _check_origin(self) -> None:
        # Another port of 127.0.0.1 is the same *site*: its pages get the cookie sent along
        # (JupyterLab may show a stranger's notebook), so the origin itself has to be looked at.
        headers = self.request.headers
        site = headers.get("Sec-Fetch-Site")
        typed = site == "none" or (site and headers.get("Sec-Fetch-Mode") == "navigate")
        reading = self.request.method in ("GET", "HEAD")
        if site and site != "same-origin" and not (reading and typed):
            raise Refused(403, "only this class's own pages may ask for this")
        origin = headers.get("Origin")
        if origin is not None and origin != f"{self.request.protocol}://{self.request.host}":
            raise Refused(403, "only this class's own pages may ask for this")
        if origin is None and site is None and not reading:
            raise Refused(403, "expected a browser that says where a request comes from")


def check_host(host: str) -> None:
    """Refuses (403) a name that a foreign page could have been given for this machine."""
    try:
        name = urlsplit("//" + host).hostname
    except ValueError:
        name = None
    if name not in HOSTS:
        raise Refused(403, "this page answers to 127.0.0.1 and localhost alone")

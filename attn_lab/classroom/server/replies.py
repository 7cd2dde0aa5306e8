"""How the server answers: JSON, careful headers, refusals in words, a log without content."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from tornado.web import HTTPError, RequestHandler

from attn_lab.classroom.server.room import Room
from attn_lab.classroom.wire import (
    DATABASE_AWAY,
    FAULT,
    MALFORMED,
    NOT_HERE,
    Malformed,
    Reason,
    Reply,
    read_body,
)

log = logging.getLogger("attn_lab.class")
T = TypeVar("T")

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Refused(HTTPError):  # noqa: N818 - what happened, not a fault
    """A request that is refused for a reason, in words that its sender may read."""

    def __init__(self, reason: Reason, said: str = "") -> None:
        super().__init__(reason.status)
        self.why, self.reply = reason, reason.reply(said)


class Handler(RequestHandler):
    """One route. `route` stands in the log in place of the path, which a stranger may have made."""

    route = "unknown"

    @property
    def room(self) -> Room:
        """The class that this server holds."""
        return self.application.settings["room"]

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    async def work(self, job: Callable[..., T], *args: Any) -> T:
        """Run a job in the one thread that may touch the database.

        Raises: Refused (503) where the database could not be read or written, (400) for a
        ValueError, which says in words what was wrong with the request.
        """
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.application.settings["worker"], job, *args)
        except SQLAlchemyError as error:
            log.error("%s: %s", self.route, type(error).__name__)
            raise Refused(DATABASE_AWAY) from None
        except ValueError as error:
            raise Refused(MALFORMED, str(error)) from None

    def body(self) -> dict[str, Any]:
        """The request's JSON object; raises Refused (400) for anything else."""
        try:
            return read_body(self.request.body)
        except Malformed as error:
            raise Refused(error.reason, str(error)) from None

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        refused = kwargs.get("exc_info", (None, None))[1]
        if isinstance(refused, Refused):
            if refused.why.retry_after:
                self.set_header("Retry-After", str(refused.why.retry_after))
            self.tell(refused.reply)
        elif status_code == 500:
            self.tell(FAULT.reply())
        else:  # Tornado's own: an unknown method, a body that never came
            self.tell(Reply(error="this is not to be had here"))

    def tell(self, reply: Reply) -> None:
        """Send what a learner's program understands, which the pages' scripts read too."""
        self.finish(msgspec.to_builtins(reply))

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        # Tornado would log the request's address and the values in the traceback.
        if not isinstance(value, HTTPError):
            where = f"{tb.tb_frame.f_code.co_name}:{tb.tb_lineno}" if tb else "?"
            log.error("%s: %s in %s", self.route, getattr(typ, "__name__", typ), where)


class NotHere(Handler):
    """Every path that is none of the routes."""

    def prepare(self) -> None:
        raise Refused(NOT_HERE)


def log_request(handler: RequestHandler) -> None:
    """Write one line for a request: method, route, status, time; no address, path or content."""
    method = handler.request.method
    method = method if method in RequestHandler.SUPPORTED_METHODS else "?"
    took = 1000 * handler.request.request_time()
    log.info("%s %s %d %.0f ms", method, getattr(handler, "route", "?"), handler.get_status(), took)

"""What learners' programs may do: join and send answers. Nothing can be read here."""

from __future__ import annotations

from functools import partial
from typing import Any

from tornado.web import Application

from attn_lab.classroom import wire
from attn_lab.classroom.count.votes import LATE
from attn_lab.classroom.server.admission import Limits, is_secret, pseudonym, same_code
from attn_lab.classroom.server.events import Bell
from attn_lab.classroom.server.replies import Handler, NotHere, Refused, log_request
from attn_lab.classroom.wire import Malformed, Reply, read_answer

# what the database says of an answer or a seat that it does not take
WHY_NOT = {"conflict": wire.CONFLICT, "spent": wire.SPENT, "full": wire.FULL, "wait": wire.CROWDED}

HELLO = """A class of attn_lab can be reached here. Nothing can be read here.

To join, run this in a cell of your notebook, with all that the stage shows in place of the dots:

from attn_lab.predict import join
join("…")
"""


class LearnerHandler(Handler):
    """A request of a learner's program, who is known by a secret that the program made."""

    def prepare(self) -> None:
        if "Origin" in self.request.headers:
            raise Refused(wire.FROM_A_PAGE)
        if len(self.request.body) > wire.LARGEST:
            raise Refused(wire.TOO_LARGE)

    async def who(self) -> str:
        """The learner's pseudonym; raises Refused (401, 429) where there is none."""
        limits: Limits = self.application.settings["wrong_codes"]
        if not same_code(self.request.headers.get(wire.CODE_HEADER, ""), self.room.code):
            # Only wrong codes are counted: behind one address there may be a whole room.
            if not limits.allow(self.request.remote_ip or "?"):
                raise Refused(wire.WRONG_CODES)
            raise Refused(wire.WRONG_CODE)
        kind, _, secret = self.request.headers.get("Authorization", "").partition(" ")
        if kind != "Bearer" or not is_secret(secret):
            raise Refused(wire.NO_SECRET)
        return pseudonym(self.room.salt, secret)

    async def admitted(self) -> str:
        """Who sends this, at most twice a second after a burst of sixty."""
        learner = await self.who()
        own: Limits = self.application.settings["own_rate"]
        if not own.allow(learner):
            raise Refused(wire.TOO_OFTEN)
        return learner

    def source(self) -> str | None:
        """The address whose newcomers are counted; a Hub says who they are instead."""
        return self.request.remote_ip or "?"


class Join(LearnerHandler):
    """A learner joins: the code is right, and a seat is kept."""

    route = "join"

    async def post(self) -> None:
        learner = await self.admitted()
        seat = await self.work(self.room.join, learner, self.source())
        self.application.settings["bell"].ring()  # the desk also says when newcomers wait
        if seat in WHY_NOT:
            raise Refused(WHY_NOT[seat])
        self.tell(Reply(joined=True, age=self.room.age()))


class Leave(LearnerHandler):
    """A learner leaves: no longer counted as here, and welcome to come back."""

    route = "leave"

    async def post(self) -> None:
        learner = await self.admitted()
        await self.work(self.room.database.leave, learner)
        self.application.settings["bell"].ring()
        self.tell(Reply(left=True))


class Answers(LearnerHandler):
    """A learner sends one answer; `saved` names its id once it is on the disk."""

    route = "answers"

    async def post(self) -> None:
        learner = await self.admitted()
        try:
            incoming = read_answer(self.request.body, self.room.course)
        except Malformed as error:
            raise Refused(error.reason, str(error)) from None
        bell: Bell = self.application.settings["bell"]
        try:
            take = partial(self.room.take, source=self.source())
            outcome = await self.work(take, learner, incoming)
        finally:
            bell.ring()  # the desk also says when answers cannot be written
        if outcome in WHY_NOT:
            raise Refused(WHY_NOT[outcome])
        self.tell(Reply(saved=incoming.id, late=outcome == LATE))


class Hello(Handler):
    """What a browser sees at the learners' address: that it can be reached, and how to join."""

    route = "hello"

    def get(self) -> None:
        self.set_header("Content-Type", "text/plain; charset=UTF-8")
        self.finish(HELLO)


def learner_application(**settings: Any) -> Application:
    """The application that answers at the learners' address."""
    return Application(
        [(r"/", Hello), (r"/join", Join), (r"/leave", Leave), (r"/answers", Answers)],
        default_handler_class=NotHere,
        log_function=log_request,
        wrong_codes=Limits(1, 30),
        own_rate=Limits(2, 60),
        **settings,
    )

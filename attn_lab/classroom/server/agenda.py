"""Where a class is in its plan: what an instructor chose to do, and since when."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from attn_lab.course.plans import guide, plans, queue

if TYPE_CHECKING:
    from attn_lab.classroom.server.room import Room

LONGEST_NOTE = 4000  # characters


@dataclass(frozen=True)
class Agenda:
    """A plan's key, "" for none, the place of what is done now, and when the clock was started.

    `began` is in seconds of the server's clock, 0 before the session has begun.
    """

    plan: str = ""
    at: int = 0
    began: float = 0.0


def chosen(plan: str) -> Agenda:
    """A plan at its beginning; raises ValueError for one that the course does not have."""
    if plan:
        queue(plan)
    return Agenda(plan)


def begun(agenda: Agenda) -> Agenda:
    """The agenda with its clock started, or started anew."""
    return replace(agenda, began=time.time())


def at_place(agenda: Agenda, place: int) -> Agenda:
    """The agenda at another place; raises ValueError for one that the plan does not have."""
    places = len(queue(agenda.plan)) if agenda.plan else 0
    if not 0 <= place < places:
        raise ValueError(f"step: expected a place of the plan, below {places}; got {place}.")
    return _running(replace(agenda, at=place))


def at_question(agenda: Agenda, id: str) -> Agenda:
    """The agenda once this question is asked; one that the plan does not have moves nothing."""
    items = queue(agenda.plan) if agenda.plan else []
    places = [place for place, item in enumerate(items) if item.question == id]
    return _running(replace(agenda, at=places[0])) if places else agenda


def _running(agenda: Agenda) -> Agenda:
    return agenda if agenda.began else begun(agenda)


def guides(room: Room) -> dict[str, Any]:
    """What the desk asks for once: every plan with its queue, and what is said at each question.

    Where the computed answer is known, it is `right`.
    """
    told = {}
    for id in room.course:
        right = room.right_answer(id)
        told[id] = asdict(guide(room.course[id])) | {"right": right.label if right else ""}
    names = plans().items()
    items = {plan: [asdict(item) for item in queue(plan)] for plan in plans()}
    return {
        "plans": [{"plan": plan, "name": name, "items": items[plan]} for plan, name in names],
        "guides": told,
    }

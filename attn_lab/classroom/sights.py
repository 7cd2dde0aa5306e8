"""What the two pages see: the stage, which the room looks at too, and the desk."""

import time
from dataclasses import asdict
from typing import Any

from attn_lab.classroom.room import Room
from attn_lab.classroom.tally import advice, computed_key
from attn_lab.classroom.votes import hand_groups
from attn_lab.course.questions import misconceptions

MARK = "Mark the bar that is the computed answer: the rule follows from it."


def stage(room: Room) -> dict[str, Any]:
    """Returns what the room may see: counts alone, until the instructor shows both rounds."""
    told, state = _common(room), room.state
    if state.exercise:
        counted = room.tally(state.exercise)
        told["answered"] = counted.spread.answered
        if state.phase == "shown":
            told["spread"] = counted.spread.for_stage()
    return told


def desk(room: Room) -> dict[str, Any]:
    """Returns what the instructor sees: the spread at once, its meaning, and all exercises."""
    told, counts = _common(room), room.database.counts()
    told["trouble"] = room.troubles()
    told["exercises"] = [
        {"id": q.id, "discuss": q.discuss, "minutes": q.minutes, "answered": counts.get(q.id, 0)}
        for q in room.course.values()
    ]
    if room.state.exercise:
        question = room.course[room.state.exercise]
        counted = room.tally(question.id)
        hands = room.hands.get(question.id, {})
        key = computed_key(question, room.computed.get(question.id), hands)
        told |= {"prompt": question.prompt, "ask_next": question.ask_next, "computed": key}
        told |= {"groups": [asdict(group) for group in hand_groups(question)]}
        told |= {"answered": counted.spread.answered, "spread": counted.spread.for_desk()}
        for bar in told["spread"]["bars"]:
            bar["idea"] = idea_name(bar["misconception"])
            if bar["meaning"] in bar["idea"]:
                bar["meaning"] = ""  # the same words twice help nobody
        told |= {"sources": counted.sources, "practised": counted.practised}
        share, again = counted.share(key), bool(counted.spread.answered[1])
        said = advice(share, discuss=question.discuss, again=again)
        mark = MARK if key is None and counted.spread.bars else ""
        told |= {"share": share, "advice": said or mark, "hands": hands}
    return told


def idea_name(misconception: str | None) -> str:
    """Returns what people call a misconception, "" for none."""
    known = misconceptions().get(misconception or "")
    return known.name if known else misconception or ""


def _common(room: Room) -> dict[str, Any]:
    told = room.state.plain() | {"now": time.time(), "invented": room.invented}
    return told | {"joined": room.database.joined(), "join": room.join_string()}

"""What a learner's program may send, checked before anything else sees it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from attn_lab.classroom.bodies import Malformed, read_body
from attn_lab.course.forms import Question
from attn_lab.course.response_codes import CONFIDENCES

LONGEST_BECAUSE = 500
LAST_ROUND = 99
_NEEDED = {"id", "exercise", "round", "seen", "answer", "confidence"}
_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


@dataclass(frozen=True)
class Incoming:
    """One answer that has been checked."""

    id: str
    exercise: str
    round: int
    seen: bool
    answer: Any
    confidence: str
    because: str | None = None

    def row(self) -> dict[str, Any]:
        """Returns the columns that this answer fills."""
        same = {name: getattr(self, name) for name in ("id", "exercise", "round", "seen")}
        more = {"confidence": self.confidence, "because": self.because}
        return same | more | {"answer": json.dumps(self.answer), "digest": self.digest()}

    def digest(self) -> str:
        """Returns the same text for the same content, whatever the order of its fields."""
        return hashlib.sha256(json.dumps(vars(self), sort_keys=True).encode()).hexdigest()


def read_answer(raw: bytes, course: Mapping[str, Question]) -> Incoming:
    """Returns the answer that a body holds.

    Raises: Malformed, naming the field, where it is not an answer to one of the course's questions.
    """
    body = read_body(raw)
    if unknown := set(body) - _NEEDED - {"because"}:
        raise Malformed(f"unknown field {min(unknown)[:40]!r}")
    if missing := _NEEDED - set(body):
        raise Malformed(f"missing field {min(missing)!r}")
    because = body.get("because")
    checks = {
        "id": isinstance(body["id"], str) and _ID.fullmatch(body["id"]),
        "exercise": isinstance(body["exercise"], str),
        "round": type(body["round"]) is int and 1 <= body["round"] <= LAST_ROUND,
        "seen": isinstance(body["seen"], bool),
        "confidence": body["confidence"] in CONFIDENCES,
        "because": because is None
        or (isinstance(because, str) and len(because) <= LONGEST_BECAUSE),
    }
    for name, holds in checks.items():
        if not holds:
            raise Malformed(f"field {name!r} is not what it should be")
    question = course.get(body["exercise"])
    if question is None:
        raise Malformed("this class does not know that exercise; its notebooks may be older")
    if not _answers(question, body["answer"]):
        raise Malformed(f"field 'answer' does not answer {question.id}")
    return Incoming(**body)


def _answers(question: Question, answer: Any) -> bool:
    if question.kind == "choice":
        return isinstance(answer, str) and answer in {option.key for option in question.options}
    if not isinstance(answer, list):
        return False
    if question.kind == "numbers":
        return len(answer) == len(question.labels) and all(type(x) in (int, float) for x in answer)
    if question.kind == "cells":
        return len(answer) == len(question.rows) and all(
            isinstance(row, list)
            and len(row) == len(question.columns)
            and all(type(cell) is int and cell in (0, 1) for cell in row)
            for row in answer
        )
    many = len(question.labels) > 1
    shapes = answer if many else [answer]
    return (not many or len(answer) == len(question.labels)) and all(map(_is_shape, shapes))


def _is_shape(shape: Any) -> bool:
    sizes = isinstance(shape, list) and len(shape) <= 12
    return sizes and all(type(n) is int and n >= 0 for n in shape)

"""What goes between a learner's program and a class: the one schema of both sides.

A learner's program sends an `Answer`; the class answers with a `Reply`. Whatever a database or a
page could choke on is refused before anything else sees it. A refusal has a name for the program
(`reason`) beside its sentence for the person.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from attn_lab.course.codes import CONFIDENCES
from attn_lab.course.kinds import Question

CODE_HEADER = "Attn-Lab-Code"
LARGEST = 16 * 1024  # bytes of a body
DEEPEST = 6
LONGEST_BECAUSE = 500
LAST_ROUND = 99
# HTTP's statuses, by what they mean for an answer: it will never be taken; its sender is not let in
# as things stand, perhaps because another class is running there; it may be sent again.
REFUSALS, SHUT, LATER = (400, 409, 413), (401, 403), (429, 503)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One answer on its way to a class, sent again under the same id until the class names it.

    Only what was read by `read_answer` has been checked.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9-]{8,64}\Z")]
    exercise: str
    round: Annotated[int, msgspec.Meta(ge=1, le=LAST_ROUND)]
    seen: bool
    answer: Any
    confidence: Annotated[str, msgspec.Meta(pattern=rf"^({'|'.join(CONFIDENCES)})\Z")]
    because: Annotated[str, msgspec.Meta(max_length=LONGEST_BECAUSE)] | None = None


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a class answers to any request; a field that is not there says nothing.

    `saved` is the id of an answer that is on the disk, `late` says that its vote was closed when it
    came, `age` how many seconds ago the class began. `state` is "refused" where an answer will
    never be taken, "shut" where its sender is not let in as things stand, "waiting" where it may be
    sent again; `reason` is a `Reason`'s name.
    """

    saved: str = ""
    late: bool = False
    joined: bool = False
    age: int = 0
    left: bool = False
    state: str = ""
    reason: str = ""
    error: str = ""


class Reason(msgspec.Struct, frozen=True):
    """Why a request is refused: the name, HTTP's status, the sentence, seconds until a new try."""

    name: str
    status: int
    said: str
    retry_after: int = 0

    def reply(self, said: str = "") -> Reply:
        """The refusal as it is sent, in other words where they say more."""
        return Reply(state=state_of(self.status), reason=self.name, error=said or self.said)


FROM_A_PAGE = Reason("from-a-page", 403, "answers come from notebooks' kernels, not from web pages")
TOO_LARGE = Reason("too-large", 413, f"too large: at most {LARGEST} bytes")
WRONG_CODE = Reason("wrong-code", 401, "the class there has another join code")
WRONG_CODES = Reason("wrong-codes", 429, "too many wrong join codes from there", 5)
NO_SECRET = Reason("no-secret", 401, "expected a secret of 32 to 64 hexadecimal characters")
TOO_OFTEN = Reason("too-often", 429, "too many requests from this learner", 1)
FULL = Reason("full", 503, "this class is full", 30)
CROWDED = Reason("crowded", 503, "very many are joining from there just now", 10)
MALFORMED = Reason("malformed", 400, "expected one JSON object")
UNKNOWN_EXERCISE = Reason(
    "unknown-exercise", 400, "this class does not know that exercise; its notebooks may be older"
)
CONFLICT = Reason("conflict", 409, "another answer has this id")
SPENT = Reason("spent", 409, "this class takes no more answers from there")
DATABASE_AWAY = Reason("database-away", 503, "the class's database cannot be used just now", 5)
NOT_HERE = Reason("not-here", 404, "there is no such page here")
FAULT = Reason("fault", 500, "something went wrong here")


def state_of(status: int) -> str:
    """What a refusal's status alone says, as it does where an older class gives no `state`."""
    states = {"refused": REFUSALS, "shut": SHUT, "waiting": LATER}
    return next((state for state, statuses in states.items() if status in statuses), "")


class Malformed(ValueError):  # noqa: N818 - the name of a state, as HTTP has it
    """A body that stays wrong when it is sent again; the text may be shown to its sender."""

    def __init__(self, said: str, reason: Reason = MALFORMED) -> None:
        super().__init__(said)
        self.reason = reason


def read_answer(raw: bytes, course: Mapping[str, Question]) -> Answer:
    """Read the answer that a body holds.

    Raises: Malformed, naming the field, where it is not an answer to one of the course's questions.
    """
    body = read_body(raw)
    fields = msgspec.structs.fields(Answer)
    if unknown := body.keys() - {field.name for field in fields}:
        raise Malformed(f"unknown field {min(unknown)[:40]!r}")
    if missing := {field.name for field in fields if field.required} - body.keys():
        raise Malformed(f"missing field {min(missing)!r}")
    for field in fields:
        try:
            msgspec.convert(body.get(field.name, field.default), field.type)
        except msgspec.ValidationError:
            raise Malformed(f"field {field.name!r} is not what it should be") from None
    question = course.get(body["exercise"])
    if question is None:
        raise Malformed(UNKNOWN_EXERCISE.said, UNKNOWN_EXERCISE)
    if not question.fits(body["answer"]):
        raise Malformed(f"field 'answer' does not answer {question.id}")
    return Answer(**body)


def read_reply(status: int, raw: bytes) -> Reply:
    """Read what a class answered; an empty reply is no class's word."""
    try:
        reply = msgspec.json.decode(raw, type=Reply)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Reply()
    if reply.error and not reply.state:
        return msgspec.structs.replace(reply, state=state_of(status))
    return reply


def read_body(raw: bytes) -> dict[str, Any]:
    """Read the JSON object of a body.

    Raises: Malformed for anything but one flat enough, finite, plain-text JSON object.
    """
    try:
        text = raw.decode("utf-8")
        _shallow(text)
        body = json.loads(text, object_pairs_hook=_no_repeats)
    except (UnicodeDecodeError, RecursionError):
        raise Malformed("expected UTF-8 text that is not nested") from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed(MALFORMED.said) from None
    if not isinstance(body, dict):
        raise Malformed(MALFORMED.said)
    _plain(body)
    return body


def _shallow(text: str) -> None:
    depth = 0
    for character in _STRING.sub("", text):
        depth += (character in "[{") - (character in "]}")
        if depth > DEEPEST:
            raise Malformed("expected text that is not nested")


def _plain(value: Any) -> None:
    """Refuse what a database would: what became infinite, very large, or is no text."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for part in value:
            _plain(part)
    elif isinstance(value, str) and ("\0" in value or not _encodes(value)):
        raise Malformed("expected text without NUL and without half characters")
    elif isinstance(value, (int, float)) and not (abs(value) < 1e18 and math.isfinite(value)):
        raise Malformed("expected finite numbers of an ordinary size")


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("expected each field once")
    return found

"""The values that the store holds, one class for each of its tables, and rows to and from them."""

import json
import re
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from attn_lab import __version__

CONFIDENCES = ("guess", "fairly sure", "certain")


def new_id() -> str:
    """An id that no other machine or kernel will make."""
    return str(uuid4())


def now() -> str:
    """This moment in UTC, as ISO text; to be read, since a clock may be set back."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Attempt:
    """One committed answer.

    `round` counts the attempts at an exercise from 1. `seen` says that its result had been shown
    before: then the attempt is practice, not evidence. `sent` is "" (stays here), "waiting",
    "sent" or "refused", and `refusal` is why, in the class's words, or that it was sent too late;
    `to_class` is the key of the class that it is for, whatever any clock says.
    """

    exercise: str
    answer: Any
    confidence: str
    because: str = ""
    round: int = 0
    seen: bool = False
    afterwards: str = ""
    sent: str = ""
    refusal: str = ""
    to_class: str = ""
    id: str = field(default_factory=new_id)
    time: str = field(default_factory=now)
    version: str = __version__


@dataclass(frozen=True)
class Reveal:
    """What was shown beside an attempt, and when."""

    exercise: str
    attempt: str
    computed: Any
    verdict: str
    id: str = field(default_factory=new_id)
    time: str = field(default_factory=now)


@dataclass(frozen=True)
class TaskResult:
    """What a grader said about the learner's own code.

    `mistake` is the known mistake that gives the same, as the bank of mistakes spells it, and
    `mistake_name` the name that the learner was told; both are "" where none does.
    """

    task: str
    passed: bool
    mistake: str = ""
    message: str = ""
    mistake_name: str = ""
    id: str = field(default_factory=new_id)
    time: str = field(default_factory=now)
    version: str = __version__


@dataclass(frozen=True)
class Draft:
    """What was entered in a form and not committed; `after` is how many attempts there were then.

    A later draft of the same exercise, which is its `id`, takes its place.
    """

    id: str
    entered: Any
    after: int
    time: str = field(default_factory=now)


@dataclass(frozen=True)
class Membership:
    """One class that was joined; with an empty address, the moment at which classes were left.

    `because` says whether reasons are sent too. The secret makes the pseudonym; each class gets
    one of its own, so that two classes cannot tell that the same person was in both.
    """

    address: str
    code: str
    because: bool = False
    secret: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    joined: str = field(default_factory=now)

    @property
    def key(self) -> str:
        """What an attempt keeps of the class that it is for; an address may change meanwhile."""
        return f"{self.code} {self.joined}"


class DamagedRowError(sqlite3.DatabaseError):
    """A row does not hold what was once written; to be treated as any other damage of the file."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def as_json(value: Any) -> str:
    """An answer or a result as the text that is stored."""
    return json.dumps(value, allow_nan=True)


def to_row(value: Any) -> dict[str, Any]:
    """A value as its row, column by column."""
    row = asdict(value)
    return {
        each.name: as_json(row[each.name]) if each.type is Any else row[each.name]
        for each in fields(value)
    }


def from_row(kind: type, row: dict[str, Any]) -> Any:
    """The value that a row holds; SQLite hands out without complaint what no program wrote.

    Raises: DamagedRowError at a row that no program of ours has written like that.
    """
    types = {each.name: each.type for each in fields(kind)}
    try:
        read = {
            name: (_BY_NAME.get(name) or _BY_TYPE[types[name]])(raw) for name, raw in row.items()
        }
        return kind(**_moved(read))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise DamagedRowError(f"a damaged row: {error}") from None


_NAMED = re.compile("known mistake, “([^”]+)”")


def _moved(row: dict[str, Any]) -> dict[str, Any]:
    # An earlier attn_lab kept a class's refusal behind a colon, and a mistake's name only inside
    # the grader's message. Both columns are NULL in its rows, and in no others: those are moved.
    if "sent" in row and row.get("refusal") is None:
        sent, _, refusal = row["sent"].partition(": ")
        return {**row, "sent": sent, "refusal": refusal}
    if "mistake" in row and row.get("mistake_name") is None:
        said = _NAMED.search(row["message"])
        return {**row, "mistake_name": said[1] if said else ""}
    return row


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise TypeError(f"expected text; got {raw!r}")
    return raw


def _text_or_none(raw: Any) -> str | None:
    return None if raw is None else _text(raw)


def _whole(raw: Any) -> int:
    if not isinstance(raw, int):
        raise TypeError(f"expected a whole number; got {raw!r}")
    return raw


def _time(raw: Any) -> str:
    datetime.fromisoformat(raw).astimezone()
    return raw


def _confidence(raw: Any) -> str:
    if raw not in CONFIDENCES:
        raise ValueError(f"no confidence: {raw!r}")
    return raw


_BY_TYPE: dict[Any, Callable[[Any], Any]] = {
    str: _text,
    int: _whole,
    bool: lambda raw: bool(_whole(raw)),
    Any: json.loads,
}
_BY_NAME: dict[str, Callable[[Any], Any]] = {
    "time": _time,
    "confidence": _confidence,
    "refusal": _text_or_none,
    "mistake_name": _text_or_none,
}

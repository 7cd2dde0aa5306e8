"""The values that the store holds, one class for each of its tables."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from attn_lab import __version__

CONFIDENCES = ("guess", "fairly sure", "certain")


def new_id() -> str:
    """Returns an id that no other machine or kernel will make."""
    return str(uuid4())


def now() -> str:
    """Returns this moment in UTC, as ISO text that sorts by time."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass(frozen=True)
class Attempt:
    """One committed answer.

    `round` counts the attempts at an exercise from 1. `seen` says that its result had been shown
    before: then the attempt is practice, not evidence. `sent` is "" (stays here), "waiting",
    "sent" or "refused", and `refusal` is why, in the class's words; `to_class` is the key of the
    class that it is for, whatever any clock says.
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

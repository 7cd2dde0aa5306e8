"""Sends one answer to a class and says what became of it."""

from __future__ import annotations

import http.client
import json
import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from attn_lab.record.attempts import Attempt
from attn_lab.record.memberships import Membership

PATIENCE = 5.0  # seconds for the class to answer
LONGEST_BECAUSE = 500
REFUSALS = (400, 401, 403, 409, 413)  # the same request would be refused again
_LARGEST_REPLY = 4096


@dataclass(frozen=True)
class Outcome:
    """`state` is "sent", "refused" or "waiting"; `said` is why, for the learner."""

    state: str
    said: str = ""
    wait: float = 0.0


def body_of(attempt: Attempt, round: int, *, because: bool) -> dict[str, Any]:
    """Returns what leaves the laptop: the answer and how sure it was; the reason where chosen."""
    body = {
        "id": attempt.id,
        "exercise": attempt.exercise,
        "round": round,
        "seen": attempt.seen,
        "answer": attempt.answer,
        "confidence": attempt.confidence,
    }
    words = attempt.because.replace("\0", "").encode("utf-8", "replace").decode()
    if because and words:
        body["because"] = words[:LONGEST_BECAUSE]
    return body


def send(to: Membership, body: dict[str, Any]) -> Outcome:
    """Sends one answer; only a reply that names the answer's id counts as sent."""
    return _judge(*_post(to, "/answers", body), ("saved", body["id"]))


def knock(to: Membership) -> Outcome:
    """Asks the class whether it would take this learner's answers."""
    return _judge(*_post(to, "/join", {}), ("joined", True))


def _judge(status: int, reply: dict[str, Any], wait: float, good: tuple[str, Any]) -> Outcome:
    if status == 200 and reply.get(good[0]) == good[1]:
        return Outcome("sent")
    said = str(reply.get("error", ""))[:200]
    if status in REFUSALS and said:  # in the class's own words, so it was the class that spoke
        return Outcome("refused", said)
    if status in (429, 503) and said:
        return Outcome("waiting", said, wait)
    if status == 0:
        return Outcome("waiting", said)
    return Outcome("waiting", f"something else answers at that address ({status})")


def _post(to: Membership, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any], float]:
    """Returns status, reply and seconds to wait; status 0 where nothing answered.

    A redirect is not followed: it leads to a login page, whose 200 would look like success.
    """
    token = to.secret if to.code else os.environ.get("JUPYTERHUB_API_TOKEN", "")
    headers = {
        "Content-Type": "application/json",
        "Attn-Lab-Code": to.code,
        "Authorization": f"Bearer {token}",
    }
    try:
        parts = urlsplit(to.address)
        secure = parts.scheme == "https"
        make = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = make(parts.hostname or "", parts.port, timeout=PATIENCE)
        try:
            connection.request("POST", parts.path.rstrip("/") + path, json.dumps(body), headers)
            answer = connection.getresponse()
            raw = answer.read(_LARGEST_REPLY)
            wait = answer.getheader("Retry-After", "") or ""
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        # a ValueError where the address is none: an environment or an older store may hold such
        return 0, {"error": getattr(error, "strerror", None) or type(error).__name__}, 0.0
    try:
        reply = json.loads(raw)
    except ValueError:
        reply = None
    seconds = float(wait) if wait.isdigit() else 0.0
    return answer.status, reply if isinstance(reply, dict) else {}, min(seconds, 60.0)

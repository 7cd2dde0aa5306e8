"""The instructor's way in: a link that works once, exchanged for a cookie that stays."""

import hashlib
import secrets
import time

from attn_lab.classroom.database import ClassDatabase

MOST_SESSIONS = 20
LINK_SECONDS = 12 * 3600


def new_link(database: ClassDatabase) -> str:
    """Returns the key of a new one-time link; links that were made before stop working."""
    key = secrets.token_urlsafe(32)
    database.put("link", {"hash": _hash(key), "until": time.time() + LINK_SECONDS})
    return key


def exchange(database: ClassDatabase, key: str) -> str | None:
    """Returns a new session for the key of an unused link, None for any other key."""
    link = database.get("link") or {"hash": "", "until": 0}
    if not secrets.compare_digest(link["hash"], _hash(key)) or time.time() > link["until"]:
        return None
    database.put("link", None)
    session = secrets.token_urlsafe(32)
    known = database.get("sessions", [])
    database.put("sessions", [*known, _hash(session)][-MOST_SESSIONS:])
    return session


def is_session(database: ClassDatabase, session: str) -> bool:
    """Returns whether a cookie is one of this class's; kept over restarts of the server."""
    mark = _hash(session)
    return any([secrets.compare_digest(mark, known) for known in database.get("sessions", [])])


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()

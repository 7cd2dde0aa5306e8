"""Which class a learner has joined, since when, and the secret that makes their pseudonym.

A class is one string, address#code. Joining is kept beside the attempts, so that a restarted
kernel goes on under the same pseudonym; each class gets a secret of its own, so that two classes
cannot tell that the same person was in both.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any

from attn_lab.record.attempts import Attempt, now
from attn_lab.record.class_string import read_string
from attn_lab.record.database import reading, writing
from attn_lab.record.troubles import TROUBLES

_TABLE = """CREATE TABLE IF NOT EXISTS classes (
    address TEXT NOT NULL, code TEXT NOT NULL, because INTEGER NOT NULL,
    secret TEXT NOT NULL, joined TEXT NOT NULL)"""
_in_memory: dict[Path, list[Membership]] = {}  # where the file cannot be written


@dataclass(frozen=True)
class Membership:
    """One class that was joined; with an empty address, the moment at which classes were left."""

    address: str
    code: str
    because: bool = False
    secret: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
    joined: str = field(default_factory=now)

    @property
    def key(self) -> str:
        """What an attempt keeps of the class that it is for; an address may change meanwhile."""
        return f"{self.code} {self.joined}"


def memberships(path: Path) -> list[Membership]:
    """Returns every class that was joined from this store, oldest first."""
    try:
        with reading(path) as connection:
            tables = "SELECT 1 FROM sqlite_master WHERE name = 'classes'"
            if connection is None or not connection.execute(tables).fetchone():
                filed = []
            else:
                filed = select(connection, {})
    except TROUBLES:
        filed = []
    return filed + _in_memory.get(path, [])


def add(path: Path, new: Membership) -> Membership:
    """Keeps a membership and returns it, under the secret that its class already knows.

    The code names the class: its server may get another address in the middle of it.
    """
    known = memberships(path)
    current = latest(known)
    before = [each for each in known if new.code and each.code == new.code]
    if before:
        new = replace(new, secret=before[-1].secret)
    if current and current.code == new.code and new.address:
        new = replace(new, joined=current.joined)
    if new == current:
        return new
    try:
        with writing(path) as connection:
            insert(connection, new)
    except TROUBLES:
        _in_memory.setdefault(path, []).append(new)
    return new


def select(connection: sqlite3.Connection, only: dict[str, Any]) -> list[Membership]:
    """Returns the memberships whose columns equal those of `only`, oldest first."""
    where = " AND ".join(f"{name} = :{name}" for name in only) or "1"
    query = f"SELECT address, code, because, secret, joined FROM classes WHERE {where}"
    return [
        Membership(address, code, bool(because), secret, joined)
        for address, code, because, secret, joined in connection.execute(
            f"{query} ORDER BY rowid", only
        )
    ]


def insert(connection: sqlite3.Connection, new: Membership) -> None:
    """Writes one membership; the table is made by the first."""
    connection.execute(_TABLE)
    connection.execute("INSERT INTO classes VALUES (?, ?, ?, ?, ?)", astuple(new))


def latest(known: Iterable[Membership]) -> Membership | None:
    """Returns the class that counts now, None where the last word was to leave."""
    last = next(reversed(list(known)), None)
    return last if last and last.address else None


def class_of(attempt: Attempt, known: Iterable[Membership]) -> Membership | None:
    """Returns the class that had been joined when an attempt was committed."""
    if attempt.to_class:
        return latest(each for each in known if each.key == attempt.to_class)
    # an older attn_lab kept only the two times, which a clock that is set back makes lie
    return latest(each for each in known if each.joined <= attempt.time)


def from_environment() -> tuple[str, str] | None:
    """Returns address and code of ATTN_LAB_CLASS; the code is "" where a Hub knows its users."""
    text = os.environ.get("ATTN_LAB_CLASS", "").strip()
    if not text:
        return None
    if "#" not in text and os.environ.get("JUPYTERHUB_API_TOKEN") and _was_given(text):
        return text.rstrip("/"), ""
    return read_string(text)


def environment_says() -> str:
    """Returns why ATTN_LAB_CLASS joins no class, "" where it does or is not set."""
    try:
        from_environment()
    except ValueError:
        given = os.environ["ATTN_LAB_CLASS"]
        whole = "not the whole string that the instructor shows"
        return f"Nothing is sent, because ATTN_LAB_CLASS names no class: it is {given!r}, {whole}."
    return ""


def _was_given(text: str) -> bool:
    # The Hub's token goes only where the administrator said: what a notebook has put into its
    # own environment since the kernel began is not in the kernel's first environment.
    try:
        given = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:  # a system without /proc: then no Hub address is taken from the environment
        return False
    return f"ATTN_LAB_CLASS={text}".encode() in given

"""Which class a learner has joined, and which of them an attempt is for.

A class is one string, address#code. Joining is kept beside the attempts, so that a restarted
kernel goes on under the same pseudonym.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from attn_lab.classroom.join_string import read_string
from attn_lab.record import Attempt, Membership, Store


def current(store: Store) -> Membership | None:
    """The class that commits go to now; ATTN_LAB_CLASS joins by itself."""
    try:
        given = from_environment()
    except ValueError:  # `environment_says` says so
        given = None
    known = store.memberships()
    if given and given not in [(each.address, each.code) for each in known]:
        return add(store, Membership(*given), known)
    return latest(known)


def add(store: Store, new: Membership, known: list[Membership]) -> Membership:
    """Keep a membership, under the secret that its class already knows; gives it as it is kept.

    The code names the class: its server may get another address in the middle of it. Who decides
    anew about reasons joins anew, so that answers from before keep to what was said then.
    """
    now = latest(known)
    before = [each for each in known if new.code and each.code == new.code]
    if before:
        new = replace(new, secret=before[-1].secret)
    if now and (now.code, now.because) == (new.code, new.because) and new.address:
        new = replace(new, joined=now.joined)
    if new != now:
        store.add_membership(new)
    return new


def latest(known: Iterable[Membership]) -> Membership | None:
    """The class that counts now, None where the last word was to leave."""
    last = next(reversed(list(known)), None)
    return last if last and last.address else None


def class_of(attempt: Attempt, known: Iterable[Membership]) -> Membership | None:
    """The class that had been joined when an attempt was committed, at its newest address."""
    known = list(known)
    if attempt.to_class:
        then = latest(each for each in known if each.key == attempt.to_class)
    else:  # an older attn_lab kept only the two times, which a clock that is set back makes lie
        then = latest(each for each in known if each.joined <= attempt.time)
    newest = latest(each for each in known if same_class(each, then))
    return replace(then, address=newest.address) if then and newest else None


def same_class(one: Membership | None, other: Membership | None) -> bool:
    """Whether two memberships are of one class; on a Hub, where there is no code, at one address.

    >>> here, moved = Membership("http://a", "KX7Q-2MWD"), Membership("http://b", "KX7Q-2MWD")
    >>> same_class(here, moved), same_class(here, None)
    (True, False)
    """
    if one is None or other is None or one.code != other.code:
        return False
    return bool(one.code) or one.address == other.address


def from_environment() -> tuple[str, str] | None:
    """Address and code of ATTN_LAB_CLASS; the code is "" where a Hub knows its users."""
    text = os.environ.get("ATTN_LAB_CLASS", "").strip()
    if not text or text.lower() == "chat":  # a class without a network
        return None
    if "#" not in text and os.environ.get("JUPYTERHUB_API_TOKEN") and _was_given(text):
        return text.rstrip("/"), ""
    return read_string(text)


def environment_says() -> str:
    """Why ATTN_LAB_CLASS joins no class, "" where it does or is not set."""
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

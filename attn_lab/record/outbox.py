"""What becomes of a commit on its way to a class: where it stands, and who wants to know.

The outbox is the learner's own store: a commit is saved there as "waiting" before anything is
sent, so that neither a lost network nor a killed kernel can lose it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from attn_lab.record import memberships as classes
from attn_lab.record.attempts import Attempt
from attn_lab.record.class_string import read_string
from attn_lab.record.memberships import Membership
from attn_lab.record.post import knock
from attn_lab.record.sender import Sender
from attn_lab.record.store import open_store

_watching: list[Callable[[], Callable[[], Any] | None]] = []


def current() -> Membership | None:
    """Returns the class that commits go to now; ATTN_LAB_CLASS joins by itself."""
    path = open_store().path
    try:
        given = classes.from_environment()
    except ValueError:  # `about` says so
        given = None
    known = classes.memberships(path)
    if given and given not in [(each.address, each.code) for each in known]:
        return classes.add(path, Membership(*given))
    return classes.latest(known)


def join(text: str, *, because: bool = False) -> str:
    """Joins the class of this string, unless it refuses; says what leaves the laptop from now on.

    Where the class does not answer it is joined all the same: answers wait until it does.
    Raises: ValueError for a string that is not one that an instructor shows.
    """
    path, given = open_store().path, read_string(text)
    here = Membership(*given, because)
    known = [each for each in classes.memberships(path) if each.code == here.code]
    outcome = knock(replace(here, secret=known[-1].secret) if known else here)
    if outcome.state == "refused":
        return f"Not joined: {outcome.said}. Ask for the string again; answers stay here."
    here = classes.add(path, here)
    wake()
    reached = "" if outcome.state == "sent" else f" It takes no answers yet ({outcome.said})."
    return f"Joined.{reached} {leaves(here)}"


def leave() -> None:
    """Leaves the class: what is committed from now on stays here."""
    current()  # the class that the environment gives is left too, not joined afterwards
    classes.add(open_store().path, Membership("", ""))


def leaves(to: Membership) -> str:
    """Returns the sentence on what leaves the laptop, said at joining."""
    words = (
        "your answers, how sure you are and your reasons"
        if to.because
        else "your answers and how sure you are, not your reasons,"
    )
    known = "under a made-up name" if to.code else "under a number in place of your name"
    return f"From now on {words} go to {to.address}, {known}. Answers from before stay here."


def about() -> str:
    """Returns what a learner should know before committing, "" outside a class."""
    here = current()
    return leaves(here) if here else classes.environment_says()


def addressed(attempt: Attempt) -> Attempt:
    """Returns a new attempt as it is to be saved: in a class it waits for it, outside it stays."""
    here = current()
    return replace(attempt, sent="waiting", to_class=here.key) if here else attempt


def wake() -> None:
    """Has waiting answers sent now, in the background; does nothing where none could wait."""
    if classes.memberships(open_store().path) or current():
        _sender.wake()


def says(attempt: Attempt) -> str:
    """Returns the line that stands beside a committed answer, "" where it stays here.

    The attempt is read from the store again, since the sender may have moved it on.
    """
    known = {each.id: each for each in open_store().attempts(attempt.exercise)}
    here = known.get(attempt.id, attempt)
    if here.sent == "sent":
        return "Sent to the class."
    if here.sent == "refused":
        return f"Not taken by the class: {here.refusal or 'no reason given'}. It stays saved here."
    if here.sent == "waiting":
        why = f" ({_sender.problem})" if _sender.problem else ""
        return f"Not yet sent to the class{why}; it is saved here and will be tried again."
    return ""


def observe(callback: Callable[[], Any]) -> None:
    """Calls back, from the sender's thread, whenever some answer may have moved on.

    A method is held weakly, so that a widget that is gone is not called.
    """
    bound = getattr(callback, "__self__", None) is not None
    reference: Any = weakref.WeakMethod(callback) if bound else lambda: callback
    _watching.append(reference)


def _tell() -> None:
    for reference in list(_watching):
        callback = reference()
        if callback is None:
            _watching.remove(reference)  # here alone, and in one thread
            continue
        try:
            callback()
        except Exception:  # a view that fails must not stop what others wait for
            continue


_sender = Sender(open_store, _tell)

"""What becomes of a commit on its way to a class: joining, where an answer stands, who is told.

The outbox is the learner's own store: a commit is saved there as "waiting" before anything is
sent, so that neither a lost network nor a killed kernel can lose it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any

from attn_lab.classroom.client import membership
from attn_lab.classroom.client.membership import class_of, same_class
from attn_lab.classroom.client.sending import Sender, depart, knock
from attn_lab.classroom.join_string import read_string
from attn_lab.record import Attempt, Membership, Store, open_store

_watching: list[Callable[[], Any]] = []


def current() -> Membership | None:
    """The class that commits go to now; ATTN_LAB_CLASS joins by itself."""
    return membership.current(open_store())


def join(text: str, *, because: bool = False, asked: Collection[str] = ()) -> str:
    """Join the class of this string, unless it refuses; says what leaves the laptop from now on.

    What was committed to the exercises that were `asked` here is sent too, if the class had begun.
    Where the class does not answer it is joined all the same: answers wait until it does.
    Raises: ValueError for a string that is not one that an instructor shows.
    """
    store, here = open_store(), Membership(*read_string(text), because)
    before, known = current(), store.memberships()
    earlier = [each for each in known if each.code == here.code]
    outcome = knock(replace(here, secret=earlier[-1].secret) if earlier else here)
    if outcome.state in ("refused", "shut"):
        return f"Not joined: {outcome.said}. Ask for the string again; answers stay here."
    here = membership.add(store, here, store.memberships())
    _again(store, here)
    before_joining = _from_before(store, here, asked)
    sent = [each for each in before_joining if each.time >= _ago(outcome.age)]
    for each in sent:
        store.send_to(each, here.key)
    wake()
    if before and not same_class(before, here):  # who joins elsewhere is no longer there
        Thread(target=depart, args=(before,), daemon=True).start()
    reached, others = "", "Answers from before stay here."
    if outcome.state != "sent":
        reached = f" It takes no answers yet ({outcome.said})."
        if before_joining:
            others += " Once it does, join again: those given since the class began are sent then."
    elif sent:
        reached = f" {_sent_too(sent)}"
        others = f"Other {others[0].lower()}{others[1:]}"
    return f"Joined.{reached} {leaves(here)} {others}"


def _from_before(store: Store, here: Membership, asked: Collection[str]) -> list[Attempt]:
    """What was committed to these exercises before joining, unless they were answered since."""
    attempts, known = store.attempts(), store.memberships()
    answered = {
        each.exercise for each in attempts if each.sent and same_class(class_of(each, known), here)
    }
    open_to = set(asked) - answered
    return [each for each in attempts if each.exercise in open_to and not (each.sent or each.seen)]


def _ago(seconds: int) -> str:
    then = datetime.now(UTC) - timedelta(seconds=seconds)
    return then.isoformat(timespec="milliseconds")


def _sent_too(sent: list[Attempt]) -> str:
    which = ", ".join(sorted({each.exercise for each in sent}))
    what = "The answer" if len(sent) == 1 else f"The {len(sent)} answers"
    are = "is" if len(sent) == 1 else "are"
    return f"{what} that you committed here since the class began {are} sent too ({which})."


def _again(store: Store, here: Membership) -> None:
    # An earlier attn_lab took it for final when another class stood at the address for a while, and
    # a class may know more exercises by now.
    known = store.memberships()
    for each in store.attempts():
        if each.sent == "refused" and same_class(class_of(each, known), here):
            store.mark_sent(each, "waiting")


def leave() -> None:
    """Leave the class: what is committed from now on stays here."""
    here = current()  # the class that the environment gives is left too, not joined afterwards
    store = open_store()
    membership.add(store, Membership("", ""), store.memberships())
    if here:
        depart(here)  # a class that does not hear it goes on counting this learner as here


def leaves(to: Membership) -> str:
    """The sentence on what leaves the laptop, said at joining."""
    words = (
        "your answers, how sure you are and your reasons"
        if to.because
        else "your answers and how sure you are, not your reasons,"
    )
    known = "under a made-up name" if to.code else "under a number in place of your name"
    return f"From now on {words} go to {to.address}, {known}."


def about() -> str:
    """What a learner should know before committing, "" outside a class."""
    here = current()
    return leaves(here) if here else membership.environment_says()


def addressed(attempt: Attempt) -> Attempt:
    """A new attempt as it is to be saved: in a class it waits for it, outside it stays."""
    here = current()
    return replace(attempt, sent="waiting", to_class=here.key) if here else attempt


def ever_joined() -> bool:
    """Whether some answer could wait: no class was joined yet where none can."""
    return bool(current() or open_store().memberships())


def wake() -> None:
    """Have waiting answers sent now, in the background."""
    _sender.wake()


def says(attempt: Attempt) -> str:
    """`stands` of an attempt that is read again, since the sender may have moved it on."""
    known = {each.id: each for each in open_store().attempts(attempt.exercise)}
    return stands(known.get(attempt.id, attempt))


def stands(attempt: Attempt) -> str:
    """The line beside a committed answer, "" where it stays here."""
    if attempt.sent == "sent":
        return f"Sent to the class. {attempt.refusal}".rstrip()
    if attempt.sent == "refused":
        why = attempt.refusal or "no reason given"
        return f"Not taken by the class: {why}. It stays saved here."
    if attempt.sent == "waiting":
        problem = _sender.problem or _sender.problems.get(attempt.to_class)
        why = f" ({problem})" if problem else ""
        return f"Not yet sent to the class{why}; it is saved here and will be tried again."
    return ""


def observe(callback: Callable[[], Any]) -> None:
    """Call back, from the sender's thread, whenever some answer may have moved on."""
    _watching.append(callback)


def _tell() -> None:
    for callback in list(_watching):
        with suppress(Exception):  # whoever fails must not stop what others wait for
            callback()


_sender = Sender(open_store, _tell)

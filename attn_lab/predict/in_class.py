"""What a prediction has to do with a class: joining and leaving, what leaves, where it stands.

The class's client is loaded when a class is joined, was joined, or is named by the environment;
whoever learns alone never loads it.
"""

import os
import weakref
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from attn_lab.predict.shown import always, line, show
from attn_lab.record import Attempt, open_store

NOT_SENT = "Nothing is sent while ATTN_LAB_REVEAL=always is set."
CHAT = "chat"
IN_CHAT = (
    "Below each answer that you commit stands its code for the chat. Nothing is sent from here."
)
LEFT = "You have left the class. What you commit from now on stays on this computer."

_NAMED = "ATTN_LAB_CLASS"
_watching: list[weakref.WeakMethod] = []
_asked: set[str] = set()  # the exercises of this kernel's notebook


def join(text: str, because: bool = False) -> None:
    """Join the class whose string the instructor shows, and say what leaves the laptop.

    Your reasons stay here unless `because` is true. A string that is none is said in one line.
    Answers given to this notebook's questions since the class began are sent too, and that is said.
    Their reasons stay.
    "chat" is a class without a network: each committed answer then has a code for the chat.
    """
    if isinstance(text, str) and text.strip().lower() == CHAT:
        if not always() and _has_class():
            _outbox().leave()  # or answers would go on to the class of before
        os.environ[_NAMED] = CHAT  # of this kernel
        show(line(IN_CHAT))
        tell()
        return
    try:
        said = NOT_SENT if always() else _outbox().join(text, because=because, asked=_asked)
        if in_chat() and not always() and _outbox().current():
            del os.environ[_NAMED]  # a code as well would be a second vote
    except ValueError as error:
        said = f"Not joined: {error}"
    show(line(said))


def leave() -> None:
    """Leave the class: what is committed from now on stays here."""
    if not always():
        _outbox().leave()
        _outbox().wake()  # what waits from before is still sent, and open forms are told
    show(line(LEFT))


def addressed(attempt: Attempt) -> Attempt:
    """An attempt as it is to be saved: in a class it waits for it, outside it stays."""
    return _outbox().addressed(attempt) if _has_class() else attempt


def asked(id: str) -> None:
    """Note that this exercise is asked here, and have sent what an earlier kernel left waiting."""
    _asked.add(id)
    if not always() and _has_class() and _outbox().ever_joined():
        _outbox().wake()


def send(attempt: Attempt) -> None:
    """Have an attempt sent that was saved as one that waits."""
    if attempt.sent:
        _outbox().wake()


def about() -> str:
    """What leaves the laptop once an answer is committed, "" outside a class."""
    return _outbox().about() if not always() and _has_class() else ""


def stands(attempt: Attempt, *, anew: bool = False) -> str:
    """Where an answer stands on its way, "" where it stays here; `anew` reads it once more."""
    if not (attempt.sent or (anew and _has_class())):  # sent since, by joining after it
        return ""
    return _outbox().says(attempt) if anew else _outbox().stands(attempt)


def observe(tell: Callable[[], Any]) -> None:
    """Call a method back, from another thread, whenever some answer may have moved on.

    It is held weakly, so that a widget that is gone is not called.
    """
    _watching.append(weakref.WeakMethod(tell))


def tell() -> None:
    """Call everybody back who watches."""
    for reference in list(_watching):
        callback = reference()
        if callback is None:
            _watching.remove(reference)  # here alone, and in one thread
            continue
        try:
            callback()
        except Exception:  # a view that fails must not stop what others wait for
            continue


def in_chat() -> bool:
    """Whether the class is one without a network, that gathers codes in a chat."""
    return os.environ.get(_NAMED, "").strip().lower() == CHAT


def _has_class() -> bool:
    named = os.environ.get(_NAMED, "").strip()
    named = "" if named.lower() == CHAT else named
    return bool(_outbox.cache_info().currsize or named or open_store().memberships())


@cache
def _outbox() -> ModuleType:
    from attn_lab.classroom.client import outbox

    outbox.observe(tell)
    return outbox

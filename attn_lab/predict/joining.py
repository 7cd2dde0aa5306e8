"""Joining a class and leaving it, from a cell."""

from attn_lab.predict.recording import always
from attn_lab.predict.shown import line, show
from attn_lab.record import outbox

NOT_SENT = "Nothing is sent while ATTN_LAB_REVEAL=always is set."
LEFT = "You have left the class. What you commit from now on stays on this computer."


def join(text: str, because: bool = False) -> None:
    """Joins the class whose string the instructor shows, and says what leaves the laptop.

    Your reasons stay here unless `because` is true. A string that is none is said in one line.
    """
    try:
        said = NOT_SENT if always() else outbox.join(text, because=because)
    except ValueError as error:
        said = f"Not joined: {error}"
    show(line(said))


def leave() -> None:
    """Leaves the class: what is committed from now on stays here."""
    if not always():
        outbox.leave()
        outbox.wake()  # what waits from before is still sent, and open forms are told
    show(line(LEFT))

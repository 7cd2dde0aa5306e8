"""What a prediction has to do with a class: joining and leaving, what leaves, where it stands."""

from attn_lab.predict.shown import always, line, show
from attn_lab.record import Attempt, outbox

NOT_SENT = "Nothing is sent while ATTN_LAB_REVEAL=always is set."
LEFT = "You have left the class. What you commit from now on stays on this computer."


def join(text: str, because: bool = False) -> None:
    """Join the class whose string the instructor shows, and say what leaves the laptop.

    Your reasons stay here unless `because` is true. A string that is none is said in one line.
    """
    try:
        said = NOT_SENT if always() else outbox.join(text, because=because)
    except ValueError as error:
        said = f"Not joined: {error}"
    show(line(said))


def leave() -> None:
    """Leave the class: what is committed from now on stays here."""
    if not always():
        outbox.leave()
        outbox.wake()  # what waits from before is still sent, and open forms are told
    show(line(LEFT))


def addressed(attempt: Attempt) -> Attempt:
    """An attempt as it is to be saved: in a class it waits for it, outside it stays."""
    return outbox.addressed(attempt)


def send_waiting() -> None:
    """Have sent to the class what waits, what an earlier kernel did not live to send included."""
    if not always():
        outbox.wake()


def says(attempt: Attempt | None) -> str:
    """Where an answer stands on its way, or what leaves once there is one; "" outside a class."""
    if always():
        return ""
    return outbox.says(attempt) if attempt else outbox.about()

"""Between a prediction and the store: saves, then says so; in the always mode touches nothing."""

import os
from typing import Any

from attn_lab.course.questions import Question
from attn_lab.predict.answers import read_answer
from attn_lab.predict.earlier import earlier, fits
from attn_lab.predict.words import words
from attn_lab.record import CONFIDENCES, Attempt, open_store, outbox

NOT_KEPT = "Nothing is recorded while ATTN_LAB_REVEAL=always is set."


def always() -> bool:
    """Says whether results are shown without a prediction, as builds and nbval need it."""
    return os.environ.get("ATTN_LAB_REVEAL") == "always"


def attempts_at(question: Question) -> list[Attempt]:
    """Returns every attempt, first to last; none while results are always shown.

    What was answered to an earlier edition of the question is not among them.
    """
    return [] if always() else [each for each in _stored(question) if fits(question, each)]


def earlier_says(question: Question) -> str:
    """Returns what is said about answers to an earlier edition, "" once this one has its own."""
    if always() or attempts_at(question):
        return ""
    return " ".join(earlier(question, each) for each in _stored(question))


def _stored(question: Question) -> list[Attempt]:
    return open_store().attempts(question.id)


def was_revealed(question: Question) -> bool:
    """Says whether its result has ever been shown."""
    return always() or open_store().was_revealed(question.id)


def save(question: Question, answer: Any, confidence: str, because: str) -> str:
    """Saves an attempt and returns "Saved.", or the sentence that says why it will not last.

    Raises: ValueError for an answer or a confidence that does not fit the question.
    """
    fits = read_answer(question, answer)
    if confidence not in CONFIDENCES:
        steps = ", ".join(f'"{each}"' for each in CONFIDENCES)
        raise ValueError(f"confidence: expected one of {steps}; got {confidence!r}.")
    reason = words(because, "because")
    if always():
        return NOT_KEPT
    store = open_store()
    store.add(outbox.addressed(Attempt(question.id, fits, confidence, reason)))
    outbox.wake()
    return " ".join(filter(None, [store.trouble or "Saved.", store.notice]))


def send_waiting() -> None:
    """Has sent to the class what an earlier kernel did not live to send."""
    if not always():
        outbox.wake()


def save_afterwards(question: Question, text: str) -> str:
    """Saves what the learner would say now, and returns the sentence that acknowledges it."""
    if always():
        return NOT_KEPT
    attempts, store = attempts_at(question), open_store()
    if not attempts or not was_revealed(question):
        return "These words come after the comparison. Run the cell that compares first."
    said = words(text, "afterwards")
    if not said:
        return "Still empty: nothing was kept."
    store.say_afterwards(attempts[-1], said)
    return " ".join(filter(None, [f"Kept beside your first words: “{said}”", store.trouble]))


def store_says() -> str:
    """Returns what a learner should know about the store, "" when all is well."""
    if always():
        return ""
    store = open_store()
    return " ".join(filter(None, [store.trouble, store.notice]))

"""From a prediction to the store: read, saved, said; in the always mode nothing is touched.

A question may change after it was answered: an answer to an earlier edition of it is kept and
said, and never compared with this one.
"""

from typing import Any

from attn_lab.course.kinds import Question
from attn_lab.predict import in_class
from attn_lab.predict.shown import always
from attn_lab.record import CONFIDENCES, Attempt, open_store
from attn_lab.show.entries import quoted

NOT_KEPT = "Nothing is recorded while ATTN_LAB_REVEAL=always is set."


def attempts_at(question: Question) -> list[Attempt]:
    """Every attempt at this edition, first to last; none while results are always shown."""
    return [] if always() else [each for each in _stored(question) if fits(question, each)]


def was_revealed(question: Question) -> bool:
    """Whether its result has ever been shown."""
    return always() or open_store().was_revealed(question.id)


def save(question: Question, answer: Any, confidence: str, because: str) -> str:
    """Save an attempt; gives "Saved.", or the sentence that says why it will not last.

    Raises: ValueError for an answer or a confidence that does not fit the question.
    """
    read = question.read(answer)
    if confidence not in CONFIDENCES:
        steps = ", ".join(f'"{each}"' for each in CONFIDENCES)
        raise ValueError(f"confidence: expected one of {steps}; got {confidence!r}.")
    reason = words(because, "because")
    if always():
        return NOT_KEPT
    store = open_store()
    store.add(in_class.addressed(Attempt(question.id, read, confidence, reason)))
    in_class.send_waiting()
    return " ".join(filter(None, [store.trouble or "Saved.", store.notice]))


def save_afterwards(question: Question, text: str) -> str:
    """Save what the learner would say now; gives the sentence that acknowledges it."""
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
    """What a learner should know about the store, "" when all is well."""
    if always():
        return ""
    store = open_store()
    return " ".join(filter(None, [store.trouble, store.notice]))


def words(written: Any, name: str) -> str:
    """What a learner wrote, without the space around it; None is nothing written.

    Half a character, which some programs leave when they cut a text, becomes "�".
    Raises: ValueError for anything that is not text.

    >>> words(" only key 1 ", "because"), words(None, "because")
    ('only key 1', '')
    """
    if written is None:
        return ""
    if not isinstance(written, str):
        raise ValueError(f'{name}: expected text, such as {name}="…"; got {quoted(repr(written))}.')
    whole = written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.strip()


def fits(question: Question, attempt: Attempt) -> bool:
    """Whether a stored answer is one that the question would take today."""
    try:
        return question.read(attempt.answer) == attempt.answer
    except ValueError:
        return False


def earlier_says(question: Question) -> str:
    """What is said about answers to an earlier edition, "" once this one has its own."""
    if always() or attempts_at(question):
        return ""
    return " ".join(_earlier(question, each) for each in _stored(question))


def _earlier(question: Question, attempt: Attempt) -> str:
    because = f", because “{attempt.because}”" if attempt.because else ""
    return (
        f"Committed to an earlier edition of this question: {_spelled(question, attempt)} "
        f"({attempt.confidence}){because}. It is kept, and not compared."
    )


def _spelled(question: Question, attempt: Attempt) -> str:
    try:
        return question.written(attempt.answer)
    except (TypeError, ValueError):  # an answer of another kind stands as it is stored
        return str(attempt.answer)


def _stored(question: Question) -> list[Attempt]:
    return open_store().attempts(question.id)

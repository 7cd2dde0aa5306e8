"""Answers to an earlier edition of a question: kept and said, never compared with this one."""

from attn_lab.course.questions import Question
from attn_lab.predict.answers import read_answer
from attn_lab.predict.comparisons import written
from attn_lab.record import Attempt


def fits(question: Question, attempt: Attempt) -> bool:
    """Says whether a stored answer is one that the question would take today."""
    try:
        return read_answer(question, attempt.answer) == attempt.answer
    except ValueError:
        return False


def earlier(question: Question, attempt: Attempt) -> str:
    """Returns the sentence about an answer that does not fit the question any more."""
    because = f", because “{attempt.because}”" if attempt.because else ""
    return (
        f"Committed to an earlier edition of this question: {_spelled(question, attempt)} "
        f"({attempt.confidence}){because}. It is kept, and not compared."
    )


def _spelled(question: Question, attempt: Attempt) -> str:
    try:
        return written(question, attempt.answer)
    except (TypeError, ValueError):  # an answer of another kind stands as it is stored
        return str(attempt.answer)

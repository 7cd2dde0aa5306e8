"""A question as text, with how to answer it in code, for front ends without widgets."""

from attn_lab.course.questions import Question
from attn_lab.predict.comparisons import written
from attn_lab.record import CONFIDENCES, Attempt, outbox

# Read where a notebook was reopened, too: an answer that was committed is not lost.
RUN = "Run this cell to answer here, or to see what you committed."


def asked(question: Question, attempt: Attempt | None, before: str = "") -> str:
    """Returns the question as text; what has been committed, now or `before`, stands under it."""
    parts = [f"Prediction {question.id}", question.prompt]
    if attempt:
        stands = [f"{committed(question, attempt)}.", outbox.says(attempt)]
        return "\n\n".join(filter(None, [*parts, *stands]))
    parts += [before, f"{RUN} In code:\n{how(question)}"]
    parts += [_values(question), f"confidence is one of: {', '.join(CONFIDENCES)}"]
    return "\n\n".join(filter(None, parts))


def how(question: Question, *, again: bool = False) -> str:
    """Returns the line of code that commits an answer, its values left open."""
    more = ", again=True" if again else ""
    return (
        f"{question.variable}.commit({_form(question)}, "
        f'confidence="{CONFIDENCES[0]}", because="…"{more})'
    )


def committed(question: Question, attempt: Attempt) -> str:
    """Returns what was committed, as one line."""
    because = f", because “{attempt.because}”" if attempt.because else ""
    return (
        f"Committed, round {attempt.round}: {written(question, attempt.answer)} "
        f"({attempt.confidence}){because}"
    )


def _form(question: Question) -> str:
    if question.kind == "choice":
        return '"…"'
    if question.kind == "cells":
        return f"[{', '.join(['[…]'] * len(question.rows))}]"
    return f"[{', '.join(question.labels)}]" if question.labels[1:] else "[…]"


def _values(question: Question) -> str:
    """What stands for the dots: never an example, which could be the answer."""
    if question.kind == "choice":
        return "\n".join(f'"{each.key}": {each.text}' for each in question.options)
    if question.kind == "cells":
        rows, columns = ", ".join(question.rows), ", ".join(question.columns)
        return f"Rows: {rows}. In each row 0 or 1 for: {columns}."
    if question.kind == "shape":
        return "A shape is a list of sizes."
    return f"Numbers for: {', '.join(question.labels)}." if not question.labels[1:] else ""

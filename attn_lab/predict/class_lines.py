"""What a form says about a class: what leaves the laptop, where an answer stands, its code."""

from html import escape

from attn_lab.course.questions import Question
from attn_lab.course.response_codes import encode
from attn_lab.predict.locked import said
from attn_lab.predict.recording import always
from attn_lab.record import Attempt, outbox

CSS = """
.attn-predict :is(.attn-class, .attn-code) { margin: 0 2px; font-size: 12px; }
.attn-predict :is(.attn-class, .attn-code) .widget-html-content { font-size: 12px; }
.attn-predict .attn-code code { font-size: 15px; user-select: all; }
"""


def class_line(attempt: Attempt | None) -> str:
    """Returns where an answer stands on its way, or what leaves once there is one; or ""."""
    if always():
        return ""
    return said(outbox.says(attempt) if attempt else outbox.about())


def chat_code(question: Question, attempt: Attempt) -> str:
    """Returns the code of an answer, folded; "" once a result had been seen before it."""
    if attempt.seen:
        return ""
    given = (attempt.answer, attempt.confidence, attempt.round)
    code = encode(question, *given, noise=attempt.id)
    holds = "holds your answer, how sure you are and the round; no name."
    if attempt.sent:  # in a class, where a code pasted as well would be a second vote
        holds += " Needed only while the answer is not sent."
    return (
        "<details><summary>Code for the chat</summary>"
        f"<code>{escape(code)}</code> {holds}</details>"
    )

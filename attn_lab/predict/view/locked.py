"""What of the form is only read: the question, messages, what was committed; and its look."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

from attn_lab.course.codes import encode
from attn_lab.course.kinds import Question
from attn_lab.predict.comparisons import as_html
from attn_lab.record import Attempt
from attn_lab.show.prose import prose

CSS = """
.attn-predict { max-width: 46em; border-left: 3px solid var(--jp-border-color1, #9e9e9e);
  padding: 2px 0 4px 12px; color: var(--jp-content-font-color1, inherit);
  font-family: var(--jp-content-font-family, sans-serif); }
.attn-predict, .attn-predict .widget-html-content { line-height: 1.5; font-size: 14px; }
.attn-predict p { margin: 0 0 .5em; }
.attn-predict .attn-id { font-size: 12px; opacity: .85; margin: 0; }
.attn-predict .attn-note { font-weight: 600; }
.attn-predict .attn-note:not(:empty)::before { content: "\\2192\\00a0"; }
.attn-predict .widget-radio-box label { height: auto; line-height: 1.4; margin: 3px 0;
  white-space: normal; display: flex; flex-direction: row-reverse; justify-content: flex-end;
  gap: 8px; align-items: baseline; font-size: 14px; width: auto; }
/* As high as the label's first line, so that the circle stands in its middle. */
.attn-predict .widget-radio-box label input { position: static; float: none; flex: none;
  font-size: inherit; height: 1.4em; margin: 0; align-self: flex-start; }
.attn-predict .widget-radio { height: auto; flex-wrap: wrap; }
.attn-predict :is(.attn-commit, .attn-keep) { margin: 8px 2px; }
.attn-predict .widget-label { color: inherit; }
/* A long name takes several lines: cut short, "pair 1" and "pair 2" would be the same. */
.attn-predict .attn-roving .widget-label { height: auto; white-space: normal; line-height: 1.25;
  overflow: visible; align-self: center; }
.attn-predict .attn-now { height: auto; flex-wrap: wrap; }
.attn-predict .attn-now .widget-label { height: auto; max-width: 100%; white-space: normal;
  text-align: left; line-height: 1.5; }
.attn-predict .attn-now input { flex: 1 1 18em; min-width: 0; }
.attn-predict :is(.attn-class, .attn-code) { margin: 0 2px; font-size: 12px; }
.attn-predict :is(.attn-class, .attn-code) .widget-html-content { font-size: 12px; }
.attn-predict .attn-code code { font-size: 15px; user-select: all; }
"""


def question_html(question: Question) -> str:
    """Returns the question with its id, large enough to be found in a room."""
    return f'<p class="attn-id">Prediction {escape(question.id)}</p>{prose(question.prompt)}'


def note(text: str) -> str:
    """Returns a short message beside a field; a screen reader speaks it when it appears."""
    return f'<span class="attn-note" role="alert">{escape(text)}</span>' if text else ""


def said(text: str) -> str:
    """Returns an acknowledgement; a screen reader speaks it when it appears."""
    return f'<span role="status">{escape(text)}</span>' if text else ""


def committed_html(question: Question, attempts: Sequence[Attempt], revealed: bool) -> str:
    """Returns what was committed, with its confidence, its reason and its time."""
    last = attempts[-1]
    when = datetime.fromisoformat(last.time).astimezone().strftime("%Y-%m-%d %H:%M")
    parts = [f"<p>Committed {when} · round {last.round} · <b>{escape(last.confidence)}</b></p>"]
    parts.append(_answer(question, last))
    if last.because:
        parts.append(f"<p>because: “{escape(last.because)}”</p>")
    if len(attempts) > 1:
        earlier = "answer is" if len(attempts) == 2 else f"{len(attempts) - 1} answers are"
        parts.append(f"<p>Your first {earlier} kept too.</p>")
    return "".join([*parts, f"<p>{_next_step(last, revealed)}</p>"])


def chat_code(question: Question, attempt: Attempt) -> str:
    """The code of an answer, folded; "" once a result had been seen before it."""
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


def _next_step(last: Attempt, revealed: bool) -> str:
    # the result is often not in the very next cell, which may define what is compared
    if revealed:
        return "Its result has been shown."
    if last.sent:  # committed in a class
        return "In class, wait for the room; then run on, until you see the result."
    return "Now run on, until you see the result."


def _answer(question: Question, attempt: Attempt) -> str:
    grid = question.grid(attempt.answer)
    if grid:
        return as_html(grid, "your prediction")
    pairs = [
        f"{escape(label)}: <b>{escape(each)}</b>" if label else escape(each)
        for label, each in question.pairs(attempt.answer)
    ]
    return f"<p>{'; '.join(pairs)}</p>"

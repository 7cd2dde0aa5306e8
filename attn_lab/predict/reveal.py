"""What `reveal` shows: both values, the learner's words, what can be said, the explanation."""

from collections.abc import Sequence
from html import escape
from typing import Any

from attn_lab.course.editions import REVEAL_MIME
from attn_lab.course.kinds import Question, Verdict
from attn_lab.predict.comparisons import as_html, as_text
from attn_lab.predict.shown import Shown
from attn_lab.predict.wording import NOW, feedback
from attn_lab.record import Attempt
from attn_lab.show.prose import prose

TITLE = "Your prediction beside the computed value"
CHANGED = (
    "This is not the value that was shown first. First came: {first}; the cell, or what it works "
    "on, has changed since. The question and its explanation speak of the notebook as it came."
)
UNCHANGED = "The explanation, for the notebook as it came"
_TEXT = "color:var(--jp-content-font-color1,inherit);max-width:46em;line-height:1.5"


def result(
    question: Question,
    computed: Any,
    attempts: Sequence[Attempt],
    verdict: Verdict | None,
    changed: str = "",
) -> Shown:
    """The comparison of the last attempt; without attempts the computed value alone.

    `changed` is the value that was shown first, where that was another one: then the sentences of
    the data are about something else, and only what was computed is said.
    HTML and text both begin with the bare title: it is what JupyterLab shows of a folded output.
    """
    last = attempts[-1] if attempts else None
    table = question.beside(last.answer if last else None, computed, verdict)
    before = [question.legend(last is not None), *_words(question, attempts, computed)]
    said = feedback(question, last, verdict) if last and verdict else []
    said = [CHANGED.format(first=changed)] if changed else said
    html = [as_html(table, question.id)]
    html += [f'<p style="font-size:90%">{escape(each)}</p>' for each in before if each]
    html += [_verdict(each) for each in said[:1]] + [prose(each) for each in said[1:]]
    explanation = f'<div class="attn-explanation">{prose(question.explanation)}</div>'
    folded = f"<details><summary>{UNCHANGED}</summary>{explanation}</details>"
    html.append(folded if changed else explanation)
    text = [TITLE, as_text(table), *filter(None, before), *said]
    text += [f"{UNCHANGED}:\n{question.explanation}" if changed else question.explanation]
    root = f'<div class="attn-reveal {css_id(question)}" style="{_TEXT}">'
    data = {REVEAL_MIME: {"id": question.id, "computed": question.in_data(computed)}}
    return Shown(f"{TITLE}\n{root}{''.join(html)}</div>", "\n\n".join(text), data)


def css_id(question: Question) -> str:
    """The class of this question's elements, `attn-id-05-first-row`.

    >>> from types import SimpleNamespace
    >>> css_id(SimpleNamespace(id="05/first-row"))
    'attn-id-05-first-row'
    """
    return "attn-id-" + question.id.replace("/", "-")


class Afterwards:
    """The optional line after a prediction that differed: what would the learner say now?"""

    def __init__(self, question: Question) -> None:
        self.question = question

    def __repr__(self) -> str:
        return f'{NOW} {self.question.variable}.afterwards("…")'

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from attn_lab.predict.view import afterwards_line, bundle

        return bundle(afterwards_line(self.question), repr(self))


def _verdict(said: str) -> str:
    """The first line about the prediction, its first sentence bold."""
    first, end, rest = said.partition(". ")
    return f"<p><b>{escape(first + end.strip())}</b>{escape(f' {rest}' if rest else '')}</p>"


def _words(question: Question, attempts: Sequence[Attempt], computed: Any) -> list[str]:
    if not attempts:
        return []
    last = attempts[-1]
    said = [f"Your words ({last.confidence}): “{last.because}”"] if last.because else []
    if not last.because:
        said = [f"Committed as: {last.confidence}."]
    if last.afterwards:
        said.append(f"Your words afterwards: “{last.afterwards}”")
    if len(attempts) > 1:
        rounds = [
            f"Round {each.round}: {_inside(question, each.answer)} ({each.confidence})."
            for each in attempts
        ]
        said.append(" ".join([*rounds, f"Computed: {_inside(question, computed)}."]))
    return said


def _inside(question: Question, answer: Any) -> str:
    """An answer inside a sentence: without the full stop of an option that is one itself."""
    return question.written(answer).removesuffix(".")

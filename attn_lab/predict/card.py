"""The card: a prediction beside the computed value, the picture, one explanation, the rest folded.

In view stands what one glance can take; what is folded is read by whoever wants it, and compared
by nbval like the rest. HTML and text both begin with the same bare title: it is what JupyterLab
shows of a folded output.
"""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from attn_lab.course.editions import REVEAL_MIME
from attn_lab.course.kinds import Question, Verdict
from attn_lab.predict.comparisons import as_text, drawn
from attn_lab.predict.shown import Shown
from attn_lab.predict.wording import NOW, Chip, chip, why
from attn_lab.record import Attempt
from attn_lab.show.as_written import in_html
from attn_lab.show.chips import chip_html
from attn_lab.show.prose import inline, prose

TITLE = "Your prediction beside the computed value"
CHANGED = (
    "This is not the value that was shown first. First came: {first}; the cell, or what it works "
    "on, has changed since. The question and its explanation speak of the notebook as it came."
)
UNCHANGED = "The explanation, for the notebook as it came"
CELL_CHANGED: Chip = ("none", "– the cell has changed", "")
REASON = "To check the reason: "
EXPLAINED = "The explanation"
MORE = "More about it"
WHY = "Why one may think so"
WORDS = "Your own words"
FURTHER = "Another picture"
IN_VIEW = 3  # sentences of an explanation
_TEXT = "color:var(--jp-content-font-color1,inherit);line-height:1.5;max-width:100%"
_SIDES = "display:flex;flex-wrap:wrap;gap:2px 28px;align-items:flex-start"
_PICTURE = "flex:1 1 auto;min-width:0;max-width:100%"  # as wide as it is, or on a line of its own
_SENTENCE = re.compile(r"(?<=[^.][.?!])\s+(?=[A-Z0-9“`])")


def card(
    question: Question,
    computed: Any,
    attempts: Sequence[Attempt],
    verdict: Verdict | None,
    pictures: Sequence[Any] = (),
    changed: str = "",
    *,
    asks: bool = False,
) -> Shown:
    """The card of the last attempt; without attempts the computed value alone.

    `changed` is the value that was shown first, where that was another one: then the sentences of
    the data are about something else, and only what was computed is said. `asks` says how to add,
    in code, what one would say now.
    """
    last = attempts[-1] if attempts else None
    before = last.answer if last else None
    mark = CELL_CHANGED if changed else chip(last, verdict)
    note = question.remark(before) if verdict else ""
    lead, rest = in_view(question.explanation)
    agrees = bool(verdict and verdict.agrees)
    reason = why(question, last, verdict) if last and verdict and not changed else []
    words = _words(question, attempts, computed)

    folds: list[tuple[str, str]] = []  # what is folded away: its name, its text
    if changed:
        folds.append((UNCHANGED, question.explanation))
    elif agrees and question.ask_next:
        folds.append((EXPLAINED, question.explanation))
    elif rest:
        folds.append((MORE, rest))
    folds += [(WHY, "\n\n".join(reason))] if reason else []
    folds += [(WORDS, "\n\n".join(words))] if words else []
    in_sight = [note, CHANGED.format(first=changed) if changed else ""]
    if not changed:
        in_sight.append(f"{REASON}{question.ask_next}" if agrees and question.ask_next else lead)
    in_sight = [each for each in in_sight if each]

    table = question.beside(before, computed, verdict)
    what = question.drawn(before, computed, verdict)
    html = [chip_html(*mark)] if last else []
    html += [_beside(drawn(what, question.id), [each.html for each in pictures[:1]])]
    html.append(f'<div class="attn-explanation">{"".join(map(prose, in_sight))}</div>')
    html += [_fold(name, prose(text)) for name, text in folds]
    html += [_fold(FURTHER, each.html) for each in pictures[1:]]

    text = [
        TITLE,
        *([" · ".join(filter(None, mark[1:]))] if last else []),
        "\n".join(filter(None, [as_text(table), question.legend(last is not None)])),
    ]
    text += [each.text for each in pictures[:1]] + in_sight
    text += [f"{name}:\n{said}" for name, said in folds]
    text += [f"{FURTHER}:\n{each.text}" for each in pictures[1:]]
    text += [f'{NOW} {question.variable}.afterwards("…")'] if asks else []
    root = f'<div class="attn-reveal {css_id(question)}" style="{_TEXT}">'
    data = {REVEAL_MIME: {"id": question.id, "computed": question.in_data(computed)}}
    return Shown(f"{TITLE}\n{root}{''.join(html)}</div>", "\n\n".join(text), data)


def in_view(explanation: str) -> tuple[str, str]:
    """The lines of an explanation that stand in view, at most three sentences, and the rest.

    >>> in_view("One. Two?\\nThree.\\nFour.")
    ('One. Two?\\nThree.', 'Four.')
    """
    lines = explanation.strip().split("\n")
    sentences = [len(_SENTENCE.findall(line)) + 1 if line else 0 for line in lines]
    shown = sum(total <= IN_VIEW for total in accumulate(sentences)) or 1
    return "\n".join(lines[:shown]).strip(), "\n".join(lines[shown:]).strip()


def css_id(question: Question) -> str:
    """The class of this question's elements, `attn-id-05-first-row`.

    >>> from types import SimpleNamespace
    >>> css_id(SimpleNamespace(id="05/first-row"))
    'attn-id-05-first-row'
    """
    return "attn-id-" + question.id.replace("/", "-")


def is_drawn(picture: Any) -> bool:
    """Whether something given to `reveal` can stand on the card."""
    return all(hasattr(picture, each) for each in ("html", "text", "sentence"))


def together(line: str, pictures: Sequence[Any]) -> Shown:
    """A line and the pictures under it, beside each other where there is room."""
    sides = "".join(f'<div style="{_PICTURE}">{each.html}</div>' for each in pictures)
    html = f'\n<div style="{_SIDES}">{sides}</div>' if pictures else ""
    return Shown(f"{in_html(line)}{html}", "\n\n".join([line, *(each.text for each in pictures)]))


def _beside(comparison: str, pictures: Sequence[str]) -> str:
    sides = "".join(f'<div style="{_PICTURE}">{picture}</div>' for picture in pictures)
    return f'<div style="{_SIDES}">{comparison}{sides}</div>'


def _fold(name: str, html: str) -> str:
    summary = f'<summary data-lm-suppress-shortcuts="true">{inline(name)}</summary>'
    look = "display:inline-block;vertical-align:top;margin:2px 22px 2px 0;max-width:100%"
    return f'<details style="{look}">{summary}{html}</details>'


def _words(question: Question, attempts: Sequence[Attempt], computed: Any) -> list[str]:
    if not attempts:
        return []
    last = attempts[-1]
    said = [f"Your words ({last.confidence}): “{last.because}”"] if last.because else []
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

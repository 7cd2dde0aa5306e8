"""The card and what waits for it, as panels: alive in the notebook, still in the reopened file."""

from typing import Any

from attn_lab.course.kinds import Question
from attn_lab.predict.card import css_id
from attn_lab.predict.commit import save_afterwards
from attn_lab.predict.shown import Shown
from attn_lab.predict.wording import NOW
from attn_lab.show.as_written import in_html
from attn_lab.widgets.panel import PROBLEM, Panel
from attn_lab.widgets.parts import button, buttons, field, fold, region

FOLDED = "What would you say now?"
TO_THE_QUESTION = "Show me the question"


def live_card(question: Question, shown: Shown, *, asks: bool) -> Panel:
    """The card; `asks` folds away the line in which a learner says what they think now."""
    panel: Panel

    def keep(name: str, _: Any) -> None:
        panel.put(html={"kept": in_html(save_afterwards(question, panel.values["now"]))})

    now = [
        field("now", NOW, "kept beside it", wide=True),
        buttons(button("keep-words", "Keep")),
        region("kept", live=True),
        region(PROBLEM, live=True),
    ]
    panel = Panel(
        [region("card"), *([fold(FOLDED, *now)] if asks else [])],
        {"now": ""},
        css=f"attn-card {css_id(question)}-card",
        html={"card": _body(shown)},
        pressed=keep,
        text=shown.text,
        still=shown.html,
        data=shown.data,
    )
    return panel


def gate(question: Question, said: str) -> Panel:
    """The line that asks for a prediction first, with the way to its question."""
    button = f'<button type="button" data-goto="{css_id(question)}">{TO_THE_QUESTION}</button>'
    line = f"<p><b>{in_html(said)}</b></p>{button}"
    return Panel(
        [region("line")],
        css="attn-gate",
        html={"line": line},
        text=said,
        still=in_html(said),
    )


def live_pictures(shown: Shown) -> Panel:
    """Pictures of a later cell."""
    return Panel(
        [region("pictures")],
        css="attn-later",
        html={"pictures": _body(shown)},
        text=shown.text,
        still=shown.html,
    )


def _body(shown: Shown) -> str:
    """A panel needs no bare first line: it is never folded away."""
    return shown.html.partition("\n")[2]

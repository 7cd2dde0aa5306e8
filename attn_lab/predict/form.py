"""The form of one exercise: a panel, open for an answer or locked with what was committed."""

from collections.abc import Sequence
from datetime import datetime
from threading import RLock
from typing import Any

from attn_lab.course.codes import encode
from attn_lab.course.kinds import Question
from attn_lab.predict import in_class
from attn_lab.predict.card import css_id
from attn_lab.predict.commit import Standing, draft_of, save, save_draft, standing
from attn_lab.predict.comparisons import as_html
from attn_lab.predict.inputs import inputs_of
from attn_lab.predict.shown import always
from attn_lab.record import CONFIDENCES, Attempt
from attn_lab.record.waiting import said_in
from attn_lab.show.as_written import in_html
from attn_lab.show.prose import prose
from attn_lab.widgets.panel import PROBLEM, Panel
from attn_lab.widgets.parts import button, buttons, field, options, region

ROOT = "attn-predict"
FURTHER = "A further attempt is kept beside the first one, which stays as it is."
ELSEWHERE = "A prediction had been committed elsewhere. It stays; what stood here was not saved."
PRACTICE = f"{FURTHER} The result has been shown, so it counts as practice."
HOW_SURE = "Choose one of the three."
BUSY = "It will be saved as soon as the running cell is done."


class Form:
    """Shows an exercise on a panel; what it shows always comes from the store."""

    def __init__(self, exercise: Any, text: str = "") -> None:
        self.exercise = exercise
        self.question: Question = exercise.question
        self.inputs = inputs_of(self.question)
        self._locked: Attempt | None = None  # what is on the page now, None while it is open
        self._further = False  # whether the learner chose to predict again
        self._telling = RLock()  # so that the older of two states is not written last
        in_room = bool(in_class.about() or in_class.in_chat())
        self.panel = Panel(
            [],
            self._blank(),
            css=f"{ROOT} {css_id(self.question)}",
            html={"question": question_html(self.question, in_room)},
            changed=self.changed,
            pressed=self.pressed,
            text=text,
        )
        self.refresh()
        if always():
            return
        in_class.observe(self.tell)
        if self._locked and self._locked.sent:  # it may have moved on since it was read
            self.tell()

    def _blank(self) -> dict[str, Any]:
        return {**self.inputs.blank(), "sure": None, "because": ""}

    def tell(self) -> None:
        """Say where the answer stands; the sender's thread calls it too, so it sets no more."""
        with self._telling:
            self._say(anew=True)

    def _say(self, *, anew: bool = False) -> None:
        locked = self._locked
        line = in_class.stands(locked, anew=anew) if locked else in_class.about()
        self.panel.put(html={"class": in_html(line)})

    def refresh(self, now: Standing | None = None) -> None:
        """Show what the store holds: locked where there is an attempt, else open."""
        now = now or standing(self.question)
        said = " ".join(filter(None, [now.store, now.earlier]))
        if now.attempts:
            self.lock(now, said)
        else:
            known = {} if always() else draft_of(self.question, now)
            fitting = {name: value for name, value in known.items() if name in self._blank()}
            self.open({**self._blank(), **fitting}, said)

    def open(self, values: dict[str, Any], said: str, *, further: bool = False) -> None:
        """Show the inputs with these values."""
        self._locked, self._further = None, further
        steps = [(step, step) for step in CONFIDENCES]
        commit = button("commit", "Commit", primary=True, busy=BUSY)
        keep = [button("keep", "Keep the last one")] if further else []
        self.panel.put(
            parts=[
                region("question"),
                *self.inputs.parts(),
                options("sure", "How sure?", steps, row=True),
                field("because", "because", "why? one line (optional)", wide=True),
                buttons(commit, *keep),
                *_SAID,
            ],
            values=values,
            html={"message": in_html(said), PROBLEM: "", **self.inputs.regions(values)},
            notes=dict.fromkeys(values, ""),
        )
        with self._telling:
            self._say()

    def lock(self, now: Standing, said: str = "") -> None:
        """Show what was committed, and that nothing can change it."""
        attempt = now.attempts[-1]
        shown = committed_html(self.question, now.attempts, now.revealed)
        shared = attempt.sent or in_class.in_chat()
        code = chat_code(self.question, attempt) if shared else ""
        self._locked = attempt
        self.panel.put(
            parts=[
                region("question"),
                region("committed"),
                *_SAID,
                buttons(button("again", "Predict again")),
                region("code", "attn-code attn-small"),
            ],
            html={"committed": shown, "message": in_html(said), "code": code, PROBLEM: ""},
        )
        with self._telling:
            self._say()

    def changed(self, name: str, value: Any) -> None:
        """Follow what a learner enters: take back what was said beside it, and keep the draft."""
        values = self.panel.values
        own = name in self.inputs.blank()
        heard = self.inputs.heard(values, name) if own else ""
        self.panel.put(notes={name: heard}, html=self.inputs.regions(values) if own else {})
        if not (always() or self._locked or self._further):
            with said_in(self._waits):
                save_draft(self.question, values)

    def pressed(self, name: str, _: Any) -> None:
        """Do what a button says."""
        with said_in(self._waits):
            {"commit": self.committed, "again": self.reopened, "keep": self.refresh}[name]()

    def _waits(self, text: str) -> None:
        """Say, while it lasts, that another program keeps the answers locked."""
        self.panel.put(html={"message": in_html(text)})

    def reopened(self) -> None:
        """Open the form for another attempt, beginning with the last answer, sure or not."""
        attempt = self.exercise.attempt
        if attempt is None:  # forgotten meanwhile, in a terminal
            self.refresh()
            return
        said = PRACTICE if self.exercise.revealed else FURTHER
        self.open({**self._blank(), **self.inputs.write(attempt.answer)}, said, further=True)

    def committed(self) -> None:
        """Save, then lock, then acknowledge; say beside the field what is missing."""
        if self._locked:  # the second click of a double one is no second vote
            return
        values = self.panel.values
        answer, missing = self.inputs.read(values)
        if values["sure"] is None:
            missing = {**missing, "sure": HOW_SURE}
        self.panel.put(notes=missing)
        if missing:
            if self.exercise.attempt and not self._further:
                self.elsewhere()
            return
        given = (answer, values["sure"], values["because"])
        acknowledged, now = save(self.question, *given, again=self._further)
        if not acknowledged:
            self.elsewhere()
            return
        self.exercise.committed(now)
        self.panel.put(html={"message": in_html(acknowledged)})

    def elsewhere(self) -> None:
        """Lock with what another kernel or cell was faster to commit."""
        self.refresh()
        self.panel.put(html={"message": in_html(ELSEWHERE)})


_SAID = [
    region("message", live=True),
    region(PROBLEM, live=True),
    region("class", "attn-class attn-small", live=True),
]


def question_html(question: Question, numbered: bool) -> str:
    """The question; its id, which a class calls out, stands above it where there is one."""
    id = f'<p class="attn-id attn-small">Prediction {in_html(question.id)}</p>' if numbered else ""
    return f"{id}{prose(question.prompt)}"


def committed_html(question: Question, attempts: Sequence[Attempt], revealed: bool) -> str:
    """What was committed, with its confidence, its reason and its time."""
    last = attempts[-1]
    when = datetime.fromisoformat(last.time).astimezone().strftime("%Y-%m-%d %H:%M")
    parts = [f"<p>Committed {when} · round {last.round} · <b>{in_html(last.confidence)}</b></p>"]
    parts.append(_answer(question, last))
    if last.because:
        parts.append(f"<p>because: “<bdi>{in_html(last.because)}</bdi>”</p>")
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
        f"<code>{in_html(code)}</code> {holds}</details>"
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
        f"{in_html(label)}: <b>{in_html(each)}</b>" if label else in_html(each)
        for label, each in question.pairs(attempt.answer)
    ]
    return f"<p>{'; '.join(pairs)}</p>"

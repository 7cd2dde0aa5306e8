"""The form of one exercise: open for an answer, or locked with what was committed."""

from pathlib import Path
from threading import RLock
from typing import Any

import ipywidgets as w

from attn_lab.predict import in_class
from attn_lab.predict.commit import Standing, save, standing
from attn_lab.predict.reveal import css_id
from attn_lab.predict.shown import always
from attn_lab.predict.view.controls import PLAIN, ROOT, button, guarded, live
from attn_lab.predict.view.fields import Fields
from attn_lab.predict.view.grid import Grid
from attn_lab.predict.view.locked import (
    CSS,
    chat_code,
    committed_html,
    note,
    question_html,
    said,
)
from attn_lab.predict.view.options import Choice
from attn_lab.record import CONFIDENCES, Attempt, open_store
from attn_lab.widgets.mending import mending

FURTHER = "A further attempt is kept beside the first one, which stays as it is."
ELSEWHERE = "A prediction had been committed elsewhere. It stays; what stood here was not saved."
PRACTICE = f"{FURTHER} The result has been shown, so it counts as practice."

# The last form of each question in a store: its cell may be run again before anything is committed.
_forms: dict[tuple[Path, str], "Form"] = {}
_INPUTS: dict[str, Any] = {"options": Choice, "fields": Fields, "grid": Grid}


class Form:
    """Shows an exercise; what it shows always comes from the store."""

    def __init__(self, exercise: Any) -> None:
        self.exercise = exercise
        question = exercise.question
        self.message = live()
        self.head = w.HTML(question_html(question))
        self.inputs = _INPUTS[question.control](question)
        self.sure = w.ToggleButtons(
            options=list(CONFIDENCES), value=None, description="How sure?", **PLAIN
        )
        self.sure.style.button_width = "auto"
        self.sure_note = live()
        self.sure.observe(guarded(self.sure_note, self.sure_changed), "value")
        self.because = w.Text(
            description="because",
            placeholder="why? one line (optional)",
            layout={"width": "36em", "max_width": "calc(100% - 4px)"},
            **PLAIN,
        )
        self.commit = button("Commit", "attn-commit", self.committed, self.message)
        self.commit.button_style = "primary"
        self.keep = button("Keep the last one", "attn-keep", self.refresh, self.message)
        self.again = button("Predict again", "attn-again", self.reopened, self.message)
        self.class_line = live()
        self.class_line.add_class("attn-class")
        self._locked: Attempt | None = None  # what is on the page now, None while it is open
        self._further = False  # whether the learner chose to predict again
        self._telling = RLock()  # so that the older of two states is not written last
        self.body = w.VBox()
        mend = w.HTML(f"{mending(ROOT, question.id)}<style>{CSS}</style>")
        mend.layout.height = "0"
        self.root = w.VBox([mend, self.head, self.body])
        self.root.add_class(ROOT)
        self.root.add_class(css_id(question))
        self.refresh()
        if not always():
            place = (open_store().path, question.id)
            self.take_over(_forms.get(place))
            _forms[place] = self
            in_class.observe(self.tell)
            if self._locked and self._locked.sent:  # it may have moved on since it was read
                self.tell()

    def take_over(self, before: "Form | None") -> None:
        """Goes on with what was written in an earlier form of the question and not committed."""
        if before is None or before.exercise.question != self.exercise.question:
            return
        if not (self._locked or before._locked or before.exercise.attempt):
            self.inputs.take_over(before.inputs)
            self.sure.value, self.because.value = before.sure.value, before.because.value

    def tell(self) -> None:
        """Says where the answer stands; the sender's thread calls it too, so it sets no more."""
        with self._telling:
            self._say(anew=True)

    def _say(self, *, anew: bool = False) -> None:
        locked = self._locked
        line = in_class.stands(locked, anew=anew) if locked else in_class.about()
        self.class_line.value = said(line)

    def refresh(self, now: Standing | None = None) -> None:
        """Shows what the store holds: locked where there is an attempt, else open."""
        now = now or standing(self.exercise.question)
        self.message.value = said(" ".join(filter(None, [now.store, now.earlier])))
        if now.attempts:
            self.lock(now)
        else:
            self.open(first=True)

    def open(self, *, first: bool) -> None:
        """Shows the inputs."""
        self.commit.disabled = False
        buttons = w.HBox([self.commit] if first else [self.commit, self.keep])
        self.body.children = [
            self.inputs.root,
            w.VBox([self.sure, self.sure_note]),
            self.because,
            buttons,
            self.message,
            self.class_line,
        ]
        self._locked, self._further = None, not first
        with self._telling:
            self._say()

    def lock(self, now: Standing) -> None:
        """Shows what was committed, and that nothing can change it."""
        shown = committed_html(self.exercise.question, now.attempts, now.revealed)
        code = w.HTML(chat_code(self.exercise.question, now.attempts[-1]))
        code.add_class("attn-code")
        self.body.children = [w.HTML(shown), self.message, self.class_line, self.again, code]
        self._locked = now.attempt
        with self._telling:
            self._say()

    def reopened(self) -> None:
        """Opens the form for another attempt, beginning with the last answer, sure or not."""
        attempt = self.exercise.attempt
        if attempt is None:  # forgotten meanwhile, in a terminal
            self.refresh()
            return
        self.inputs.write(attempt.answer)
        self.sure.value, self.because.value = None, ""
        self.message.value = said(PRACTICE if self.exercise.revealed else FURTHER)
        self.open(first=False)

    def sure_changed(self) -> None:
        """Takes back what was said about the confidence."""
        self.sure_note.value = ""

    def committed(self) -> None:
        """Saves, then locks, then acknowledges; says beside the field what is missing."""
        if self._locked:  # the second click of a double one is no second vote
            return
        answer = self.inputs.read()
        if self.sure.value is None:
            self.sure_note.value = note("Choose one of the three.")
        if answer is None or self.sure.value is None:
            if self.exercise.attempt and not self._further:
                self.elsewhere()
            return
        given = (answer, self.sure.value, self.because.value)
        acknowledged, now = save(self.exercise.question, *given, again=self._further)
        if not acknowledged:
            self.elsewhere()
            return
        self.exercise.committed(now)
        self.message.value = said(acknowledged)

    def elsewhere(self) -> None:
        """Locks with what another kernel or cell was faster to commit."""
        self.refresh()
        self.message.value = said(ELSEWHERE)

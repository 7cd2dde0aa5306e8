"""The options of a choice as radio buttons, none chosen beforehand."""

import ipywidgets as w

from attn_lab.course import kinds
from attn_lab.predict.view.controls import PLAIN, guarded, live
from attn_lab.predict.view.locked import note


class Choice:
    """Radio buttons with a note below them."""

    def __init__(self, question: kinds.Choice) -> None:
        options = [(each.text.replace("`", ""), each.key) for each in question.options]
        self.radio = w.RadioButtons(
            options=options, value=None, description="Answer", layout={"width": "auto"}, **PLAIN
        )
        self.note = live()
        self.radio.observe(guarded(self.note, self.changed), "value")
        self.root = w.VBox([self.radio, self.note])

    def changed(self) -> None:
        """Takes back what was said."""
        self.note.value = ""

    def read(self) -> str | None:
        """Returns the chosen key, or None after saying that none is chosen."""
        if self.radio.value is None:
            self.note.value = note("Choose one of the answers.")
        return self.radio.value

    def take_over(self, other: "Choice") -> None:
        """Chooses what was chosen in an earlier form."""
        self.radio.value = other.radio.value

    def write(self, answer: str) -> None:
        """Chooses an earlier answer."""
        self.radio.value = answer

"""What all controls of the form share."""

from collections.abc import Callable
from typing import Any

import ipywidgets as w

from attn_lab.predict.view.locked import note, said
from attn_lab.record.waiting import said_in

ROOT = "attn-predict"
PLAIN: dict[str, Any] = {"tooltip": "", "style": {"description_width": "initial"}}


def bundle(root: w.Widget, text: str) -> dict[str, Any]:
    """Returns what a notebook shows: the widget, or the text where there are no widgets."""
    return {**root._repr_mimebundle_(), "text/plain": text}


def live() -> w.HTML:
    """Returns an empty place for messages, whose changes a screen reader speaks."""
    place = w.HTML()
    place.add_class("attn-live")
    return place


def guarded(place: w.HTML, work: Callable[[], object]) -> Callable[..., None]:
    """Returns a handler that does the work and shows an error where the learner looks."""

    def handler(*_: Any) -> None:
        try:
            with said_in(lambda text: setattr(place, "value", said(text))):
                work()
        except Exception as error:  # whatever it is, JupyterLab would hide it
            place.value = note(f"This did not work, and nothing was saved by it. {error!r}")

    return handler


def button(text: str, css: str, work: Callable[[], object], place: w.HTML) -> w.Button:
    """Returns a button with a class of its own."""
    made = w.Button(
        description=text, tooltip="", layout={"width": "auto", "align_self": "flex-start"}
    )
    made.add_class(css)
    made.on_click(guarded(place, work))
    return made

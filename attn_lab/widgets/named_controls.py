"""Core controls as the explorers use them: named, wide enough, wrapping on a narrow screen."""

from collections.abc import Callable, Sequence
from typing import Any

import ipywidgets as widgets

FREE = {"description_width": "initial"}
_MOST_BUTTONS = 8


def wrapped(*parts: widgets.Widget) -> widgets.HBox:
    """Return controls side by side, in several lines where there is no room."""
    return widgets.HBox(parts, layout={"flex_flow": "row wrap", "align_items": "flex-end"})


def choice(description: str, options: Sequence[tuple[str, Any]], value: Any) -> widgets.Widget:
    """Return one choice among named options: buttons, or a list where there are many."""
    if len(options) > _MOST_BUTTONS:
        return widgets.Dropdown(
            options=options, value=value, description=description, style=FREE, tooltip=""
        )
    buttons = widgets.ToggleButtons(
        options=options,
        value=value,
        description=description,
        tooltip="",
        style=FREE,
        layout={"width": "auto", "flex_flow": "row nowrap"},
    )
    buttons.style.button_width = "auto"
    return buttons


def tick(description: str, value: bool) -> widgets.Checkbox:
    """Return a switch."""
    return widgets.Checkbox(
        value, description=description, indent=False, tooltip="", layout={"width": "auto"}
    )


def presets(
    buttons: dict[str, Callable[[], None]], watched: Callable[[Any], Callable[[Any], None]]
) -> widgets.HBox:
    """Return one button for each named setting."""
    made = [widgets.Label("Try:")]
    for text, do in buttons.items():
        button = widgets.Button(description=text, layout={"width": "auto"})
        button.on_click(watched(lambda _, do=do: do()))
        made.append(button)
    return wrapped(*made)


def entry(description: str, value: str, width: str = "10em") -> widgets.Text:
    """Return a field that answers when Enter is pressed or the field is left."""
    return widgets.Text(
        value=value,
        description=description,
        continuous_update=False,
        tooltip="",
        style=FREE,
        layout={"width": width},
    )


def ranged(name: str, most: int, least: int = 1) -> str:
    """Return a name with its range, since a number outside is moved to its end without a word.

    >>> ranged("key", 10)
    'key (1 to 10)'
    """
    return f"{name} ({least} to {most})"


def counter(name: str, value: int, most: int, least: int = 1) -> widgets.BoundedIntText:
    """Return a field for a whole number from `least` to `most`."""
    description = ranged(name, most, least)
    return widgets.BoundedIntText(
        value=value,
        min=least,
        max=most,
        description=description,
        tooltip="",
        style=FREE,
        layout={"width": f"{5 + 0.55 * len(description):g}em"},
    )

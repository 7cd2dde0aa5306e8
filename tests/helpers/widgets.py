"""What a learner does with the controls of a widget, without a browser."""

from typing import Any


def press(button: Any) -> None:
    """Call the handlers as a click does; `button.click()` would swallow what they raise."""
    for handler in button._click_handlers.callbacks:
        handler(button)


def press_named(widget: Any, text: str) -> None:
    """Press the first button inside a widget that says `text`."""
    press(next(each for each in _inside(widget) if getattr(each, "description", None) == text))


def _inside(widget: Any) -> list[Any]:
    """A widget and all that it holds, from top to bottom."""
    children = getattr(widget, "children", ())
    return [widget, *(each for child in children for each in _inside(child))]

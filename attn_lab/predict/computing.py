"""A function given to `reveal` or `then`: called when its gate is open, saying that it works."""

from collections.abc import Callable
from typing import Any

from attn_lab.predict.shown import always, line

COMPUTING = "Computing …"
STOPPED = "Not computed."


def called(function: Callable[[], Any]) -> tuple[list[Any], Any]:
    """What the function returns, as a list, and the line on the page that waits for it.

    Raises: TypeError for a function that returns nothing; whatever the function raises.
    """
    place = _said()
    try:
        found = function()
        if found is None:
            name = getattr(function, "__name__", "the function")
            raise TypeError(
                f"{name}: expected a function that returns what is to be shown, got None from it. "
                "End it with return and the value, then the pictures, with commas between them."
            )
    except BaseException:
        if place:
            place.update(line(STOPPED))
        raise
    return (list(found) if type(found) is tuple else [found]), place  # a torch.Size is one value


def _said() -> Any:
    """A line that says so at once; none in builds, where nobody waits."""
    if always():
        return None
    from IPython.display import display

    return display(line(COMPUTING), display_id=True)

"""What every explorer is: controls, a spoken result, one picture replaced as a whole."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.core.threads import one_thread
from attn_lab.show.arrays import as_features
from attn_lab.show.as_written import in_html
from attn_lab.show.entries import number
from attn_lab.widgets.panel import PROBLEM, Panel
from attn_lab.widgets.parts import Part, presets, region

ROOT = "attn-explore"
MOST_POSITIONS = 16
STALE = "Below is still the last setting that could be drawn."
WITHOUT_WIDGETS = "An explorer: run this cell in JupyterLab to move its controls."
Presets = Mapping[str, tuple[str, Callable[[], None]]]


class Explorer:
    """An object that becomes a panel when it is displayed; subclasses fill its parts.

    name is unique among explorers. controls() describes what the learner moves and values() is
    what it holds in the present state; moved() takes over what was moved, presets() are named
    settings, each with why one may press it; look() returns the result in one sentence and the
    picture as HTML.
    """

    name = "explorer"

    def __init__(self) -> None:
        self._panel: Panel | None = None

    def controls(self) -> list[Part]:
        """What the learner moves."""
        raise NotImplementedError

    def values(self) -> dict[str, Any]:
        """What the controls hold in the present state."""
        raise NotImplementedError

    def moved(self, name: str, value: Any) -> None:
        """Take over what was moved; a ValueError says why it cannot be, and nothing changes."""
        raise NotImplementedError

    def presets(self) -> Presets:
        """Named settings: for each why one may press it, and a function that takes it over."""
        return {}

    def look(self) -> tuple[str, str]:
        """What is to be said and what is to be shown."""
        raise NotImplementedError

    def laid_out(self) -> list[Part]:
        """The panel from top to bottom."""
        named = [self.preset_buttons()] if self.presets() else []
        said = [region(PROBLEM, live=True), region("said", "attn-result", live=True)]
        return [*self.controls(), *named, *said, region("shown")]

    def preset_buttons(self) -> Part:
        """A button for each preset."""
        return presets({name: why for name, (why, _) in self.presets().items()})

    def panel(self) -> Panel:
        """The panel, made at the first call."""
        if self._panel is None:
            self._panel = Panel(
                self.laid_out(),
                self.values(),
                css=f"{ROOT} attn-{self.name}",
                html=self._seen(),
                changed=self._changed,
                pressed=self._pressed,
                text=WITHOUT_WIDGETS,
            )
        return self._panel

    def redraw(self) -> None:
        """Show the present state; the picture is replaced in one step, never emptied first."""
        if self._panel is None:
            return
        parts = self.laid_out()
        changed = None if parts == self._panel.parts else parts
        self._panel.put(parts=changed, values=self.values(), html=self._seen())

    def _seen(self) -> dict[str, str]:
        with one_thread():
            sentence, html = self.look()
        return {"said": in_html(sentence), "shown": html}

    def _changed(self, name: str, value: Any) -> None:
        self._try(lambda: self.moved(name, value))

    def _pressed(self, name: str, value: Any) -> None:
        _, take_over = self.presets().get(name, ("", lambda: self.moved(name, value)))
        self._try(take_over)

    def _try(self, take_over: Callable[[], None]) -> None:
        """Take over and redraw; the panel says what cannot be, and the picture stays."""
        try:
            take_over()
            self.redraw()
        except ValueError as problem:
            raise ValueError(f"{problem} {STALE}") from None

    def __repr__(self) -> str:
        return WITHOUT_WIDGETS

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.panel()._repr_mimebundle_()


def matrices(
    q: Any, k: Any, v: Any, most: int = MOST_POSITIONS, *, square: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """`q`, `k` and `v` as float64 matrices of at most `most` positions each.

    square asks for as many queries as keys.

    Shapes: q [T, d_k], k [T, d_k], v [T, d_v].
    Raises: ValueError when a matrix has other axes, too many rows, or does not fit the others.
    """
    made = [torch.from_numpy(as_features(x, name)) for x, name in ((q, "q"), (k, "k"), (v, "v"))]
    for x, name in zip(made, "qkv", strict=True):
        if len(x) > most:
            raise ValueError(
                f"{name} needs at most {most} positions, to stay readable; got {len(x)}. "
                f"Pass the first ones, for example {name}[:{most}]."
            )
    attention(*made)  # says which shapes do not fit
    if square and len(made[0]) != len(made[1]):
        raise ValueError(
            f"q and k need the same positions, for a causal mask; got {len(made[0])} queries and "
            f"{len(made[1])} keys. Pass both from one sequence."
        )
    return made[0], made[1], made[2]


def typed_number(text: str, name: str, above: float | None = None) -> float:
    """The number that was typed: 0.25, 0,25, 1/4 and −2 are all understood.

    Raises: ValueError with what to write instead.

    >>> typed_number("1/4", "τ"), typed_number(" 0,25", "τ"), typed_number("−2", "q")
    (0.25, 0.25, -2.0)
    """
    wanted = f"{name} needs a number" + ("" if above is None else f" above {above:g}")
    advice = "Write for example 0.25 or 1/4."
    if not text.strip():
        raise ValueError(f"{wanted}; got nothing. {advice}")
    try:
        value = number(text)
    except ValueError as problem:
        raise ValueError(f"{name}: {problem}") from None
    if above is not None and value <= above:
        raise ValueError(f"{wanted}; got {text.strip()}. {advice}")
    return value


def beside(*panels: str) -> str:
    """Pictures in a row that wraps on a narrow screen."""
    items = "".join(
        f'<div style="flex:1 1 340px;min-width:0;max-width:100%">{panel}</div>' for panel in panels
    )
    row = "display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-start"
    return f'<div style="{row}">{items}</div>'


def under(*panels: str) -> str:
    """Pictures one below the other."""
    return "".join(f'<div style="margin-bottom:8px">{panel}</div>' for panel in panels)


def pressable(name: str, html: str) -> str:
    """A table whose cells can be pressed: `moved(name, [row, column])` hears of it.

    Both count from 0, and -1 is the column of the row's own header.
    """
    return f'<div data-cells="{name}">{html}</div>'


def unfolded(name: str, html: str) -> str:
    """What opens on request, and stays open while the explorer is moved."""
    return f"<details><summary>{in_html(name)}</summary>{html}</details>"

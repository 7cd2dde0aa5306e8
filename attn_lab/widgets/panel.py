"""The one widget: what is on it is described here and drawn as native HTML by panel.js."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from attn_lab.show.as_written import in_html, visible
from attn_lab.widgets.parts import Part, region

PROBLEM = "problem"  # the region where a panel says what went wrong
MOVES = "#"  # among the values: at which count the front end moved each control last
FAILED = "This did not work, and nothing was saved by it. {error}"

_HERE = Path(__file__).parent
_SCRIPT = (_HERE / "panel.js").read_text("utf-8")  # read once: a path would be watched for changes
_STYLE = (_HERE / "panel.css").read_text("utf-8")


class Panel(anywidget.AnyWidget):
    """Controls and regions of HTML; it comes into view when its cell was run, and only then.

    `changed(name, value)` is called for what a learner moves, `pressed(name, value)` for a button;
    what they raise is shown on the panel, where JupyterLab would hide it in a log. `text` stands
    in for the panel where there is no front end, `still` is its HTML once the kernel is gone.
    """

    _esm = _SCRIPT
    _css = _STYLE

    parts: Any = traitlets.List().tag(sync=True)
    values: Any = traitlets.Dict().tag(sync=True)
    html: Any = traitlets.Dict().tag(sync=True)
    notes: Any = traitlets.Dict().tag(sync=True)
    css = traitlets.Unicode().tag(sync=True)
    fresh = traitlets.Bool(True).tag(sync=True)

    def __init__(
        self,
        parts: Sequence[Part],
        values: Mapping[str, Any] | None = None,
        *,
        css: str = "",
        html: Mapping[str, str] | None = None,
        changed: Callable[[str, Any], object] | None = None,
        pressed: Callable[[str, Any], object] | None = None,
        text: str = "",
        still: str = "",
        data: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            parts=list(parts), values=dict(values or {}), css=css, html=dict(html or {})
        )
        self.changed, self.pressed = changed, pressed
        self.text, self.still, self.data = visible(text), still, dict(data or {})
        self._ours = False  # whether it is the kernel that writes the values
        self.observe(self._moved, "values")
        self.on_msg(self._told)

    def put(
        self,
        *,
        parts: Sequence[Part] | None = None,
        values: Mapping[str, Any] | None = None,
        html: Mapping[str, str] | None = None,
        notes: Mapping[str, str] | None = None,
    ) -> None:
        """Show something else, in one step; values, HTML and notes that are not named stay."""
        self._ours = True
        try:
            with self.hold_sync():
                self.html = {**self.html, **(html or {})}
                self.notes = {**self.notes, **(notes or {})}
                self.values = {**self.values, **(values or {})}
                if parts is not None:
                    self.parts = list(parts)
        finally:
            self._ours = False

    def _moved(self, change: Any) -> None:
        if self._ours or self.changed is None:
            return
        before, after = change["old"], change["new"]
        seen, moves = before.get(MOVES, {}), after.get(MOVES)
        moved = {
            name: value
            for name, value in after.items()
            if (before.get(name) != value if moves is None else moves.get(name) != seen.get(name))
            and name != MOVES
        }
        # What else came along is how the page stood when it was sent, and may be out of date.
        self.put(values={**before, **moved, **({} if moves is None else {MOVES: moves})})
        for name, value in moved.items():
            self._guarded(self.changed, name, value)

    def _told(self, _: Any, content: dict[str, Any], __: Any) -> None:
        if "press" not in content:
            return
        try:
            self.values = {**self.values, **content.get("values", {})}
            if self.pressed is not None:
                self._guarded(self.pressed, content["press"], content.get("value"))
        finally:
            self.send({"done": content.get("number")})

    def _guarded(self, handler: Callable[[str, Any], object], name: str, value: Any) -> None:
        try:
            handler(name, value)
        except ValueError as problem:  # what was typed cannot be used: it says so in full
            self.put(html={PROBLEM: problem_html(str(problem))})
        except Exception as problem:  # whatever it is, JupyterLab would hide it
            self.put(html={PROBLEM: problem_html(FAILED.format(error=repr(problem)))})
        else:
            if self.html.get(PROBLEM):
                self.put(html={PROBLEM: ""})

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        found: Any = super()._repr_mimebundle_(**kwargs) or {}
        view = found[0] if isinstance(found, tuple) else found
        still = {"text/html": self.still} if self.still else {}
        return {**view, "text/plain": self.text, **still, **self.data}


def told(html: str, text: str) -> Any:
    """What a notebook shows of HTML that differs by machine: on a panel, so it is never stored."""
    return Panel([region("told")], html={"told": html}, text=text)._repr_mimebundle_()


def problem_html(text: str) -> str:
    """What went wrong and what to do, where the learner looks."""
    return f'<div class="attn-problem" role="alert">{in_html(text)}</div>' if text else ""

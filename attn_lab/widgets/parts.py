"""What stands on a panel, described: controls with a name and a label, regions, containers.

Labels are HTML where they stand on the page, and text where they are only read aloud.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attn_lab.show.as_written import in_html, visible

Part = dict[str, Any]
MOST_IN_A_ROW = 8  # more become a list that opens


def region(name: str, css: str = "", *, live: bool = False) -> Part:
    """A place for HTML; a screen reader speaks what changes in a live one."""
    return {"kind": "html", "name": name, "css": css, "live": live}


def row(*parts: Part, css: str = "") -> Part:
    """Parts side by side, in several lines where there is no room."""
    return {"kind": "row", "parts": list(parts), "css": css}


def sides(*parts: Part) -> Part:
    """Parts that share the width, below each other on a narrow screen."""
    return row(*parts, css="attn-sides")


def stack(*parts: Part) -> Part:
    """Parts below each other, as one side of a row."""
    return row(*parts, css="attn-stack")


def fold(label: str, *parts: Part) -> Part:
    """Parts behind a line that opens."""
    return {"kind": "fold", "label": in_html(label), "parts": list(parts)}


def options(
    name: str, label: str, options: Iterable[tuple[Any, str]], *, row: bool, quiet: bool = False
) -> Part:
    """One of several answers, each a key with its HTML; a quiet label is only read aloud."""
    made = [{"key": key, "html": html} for key, html in options]
    return _control("options", name, label, options=made, row=row, quiet=quiet)


def field(name: str, label: str, hint: str = "", *, wide: bool = False) -> Part:
    """A field that is read while it is typed; a wide one is for words. The label is HTML."""
    return _control("field", name, label, hint=hint, wide=wide)


def buttons(*made: Part, label: str = "") -> Part:
    """Buttons side by side, under their own name."""
    return {"kind": "buttons", "label": label, "buttons": list(made)}


def button(name: str, text: str, *, primary: bool = False, busy: str = "", why: str = "") -> Part:
    """A button; `busy` is said while the kernel has not answered, `why` beside it."""
    return {"name": name, "text": text, "primary": primary, "busy": busy, "why": why}


def choice(name: str, label: str, options: Iterable[tuple[str, Any]], *, off: bool = False) -> Part:
    """One of several named options: in a row, or a list where there are many."""
    made = [{"key": key, "html": in_html(text), "text": visible(text)} for text, key in options]
    kind = "list" if len(made) > MOST_IN_A_ROW else "options"
    return _control(kind, name, in_html(label), options=made, row=True, off=off)


def entry(name: str, label: str) -> Part:
    """A field that answers when Enter is pressed or the field is left."""
    return _control("field", name, in_html(label), late=True)


def counter(name: str, label: str, most: int, *, least: int = 1, off: bool = False) -> Part:
    """A whole number, its range in the label: a number outside would be moved without a word."""
    return _control(
        "counter", name, in_html(f"{label} ({least} to {most})"), least=least, most=most, off=off
    )


def tick(name: str, label: str) -> Part:
    """A switch."""
    return _control("tick", name, in_html(label))


def slider(name: str, label: str, steps: Sequence[str], marks: Sequence[int] = ()) -> Part:
    """A slider over named steps, its value the step's index; those of `marks` are written below."""
    return _control("slider", name, in_html(label), steps=list(steps), marks=list(marks))


def grid(
    name: str, label: str, rows: Sequence[str], columns: Sequence[str], cell: str, hint: str = ""
) -> Part:
    """Cells to paint, each called "row cell column", with a line above that says how."""
    sides = {"rows": list(rows), "columns": list(columns), "cell": cell}
    return {"kind": "grid", "name": name, "label": visible(label), **sides, "hint": hint}


def plane(
    name: str,
    label: str,
    points: Sequence[tuple[str, str, bool]],
    span: tuple[float, float],
) -> Part:
    """A plane with points, each a name, a role ("query", "key", "value"), and whether it moves."""
    made = [dict(zip(("name", "role", "moves"), point, strict=True)) for point in points]
    return {"kind": "plane", "name": name, "label": visible(label), "points": made, "span": [*span]}


def presets(reasons: Mapping[str, str]) -> Part:
    """One button for each named setting, with why one may press it."""
    made = (button(name, name, why=why) for name, why in reasons.items())
    return buttons(*made, label="Try:")


def _control(kind: str, name: str, label: str, **more: Any) -> Part:
    return {"kind": kind, "name": name, "label": label, **more}

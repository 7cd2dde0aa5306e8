"""What stands on a panel, described: controls with a name and a label, regions, containers."""

from collections.abc import Iterable, Sequence
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


def fold(label: str, *parts: Part) -> Part:
    """Parts behind a line that opens."""
    return {"kind": "fold", "label": in_html(label), "parts": list(parts)}


def choice(name: str, label: str, options: Iterable[tuple[str, Any]], *, off: bool = False) -> Part:
    """One of several named options: in a row, or a list where there are many."""
    made = [{"key": key, "html": in_html(text), "text": visible(text)} for text, key in options]
    kind = "list" if len(made) > MOST_IN_A_ROW else "options"
    return _control(kind, name, label, options=made, row=True, off=off)


def entry(name: str, label: str) -> Part:
    """A field that answers when Enter is pressed or the field is left."""
    return _control("field", name, label, late=True)


def counter(name: str, label: str, most: int, *, least: int = 1, off: bool = False) -> Part:
    """A whole number, its range in the label: a number outside would be moved without a word."""
    return _control(
        "counter", name, f"{label} ({least} to {most})", least=least, most=most, off=off
    )


def tick(name: str, label: str) -> Part:
    """A switch."""
    return _control("tick", name, label)


def slider(name: str, label: str, steps: Sequence[str], marks: Sequence[int] = ()) -> Part:
    """A slider over named steps, its value the step's index; those of `marks` are written below."""
    return _control("slider", name, label, steps=list(steps), marks=list(marks))


def grid(
    name: str, label: str, rows: Sequence[str], columns: Sequence[str], cell: str, hint: str = ""
) -> Part:
    """Cells to paint, each called "row cell column", with a line above that says how."""
    sides = {"rows": list(rows), "columns": list(columns), "cell": cell}
    return {"kind": "grid", "name": name, "label": visible(label), **sides, "hint": hint}


def plane(
    name: str, label: str, points: Sequence[tuple[str, str, str]], span: tuple[float, float]
) -> Part:
    """A plane with points to move, each a name, a label and a role ("query", "key", "value")."""
    made = [dict(zip(("name", "label", "role"), point, strict=True)) for point in points]
    return {"kind": "plane", "name": name, "label": visible(label), "points": made, "span": [*span]}


def presets(names: Iterable[str], reasons: Sequence[str] = ()) -> Part:
    """One button for each named setting, with why one may press it."""
    names = list(names)
    buttons = [
        {"name": name, "text": name, "why": why}
        for name, why in zip(names, [*reasons, *[""] * len(names)], strict=False)
    ]
    return {"kind": "buttons", "label": "Try:", "buttons": buttons}


def _control(kind: str, name: str, label: str, **more: Any) -> Part:
    return {"kind": kind, "name": name, "label": in_html(label), **more}

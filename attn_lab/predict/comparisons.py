"""A prediction beside the computed value, drawn for its kind; the same as text."""

import math
from collections.abc import Callable
from typing import Any

from attn_lab.course.kinds.comparison import Listed, Marked, Pairs, Table
from attn_lab.show.as_written import in_xml
from attn_lab.show.prose import inline
from attn_lab.show.tables import TABLE, caption, corner, scroll, td, text_table, th

YOURS, COMPUTED = "your answer", "computed"
# Both are seen on light and on dark, by colour-blind eyes too: one is open, the other is full.
_SAID, _FOUND = "#c2571a", "#2f6fd0"
_WRAP = "white-space:normal;text-align:left;max-width:26em"
_DIFFERS = "font-weight:bold;outline:1px solid currentColor;outline-offset:-1px"
_TAG = "display:inline-block;border-radius:3px;padding:0 6px;font-size:12px;white-space:nowrap;"
_TAGS = {
    YOURS: f"{_TAG}border:2px solid {_SAID}",
    COMPUTED: f"{_TAG}border:2px solid {_FOUND};background:{_FOUND};color:#fff",
}


def drawn(what: Table | Listed | Pairs | Marked, name: str) -> str:
    """The comparison as one side of a row; `name` is what a screen reader calls it."""
    draw: Callable[[Any, str], str] = _DRAWN[type(what)]
    basis = "280px" if isinstance(what, Listed) else "auto"  # sentences wrap, tables do not
    return f'<div style="flex:1 1 {basis};min-width:0;max-width:100%">{draw(what, name)}</div>'


def as_html(table: Table, name: str) -> str:
    """The table with header cells, in a block that scrolls when it is too wide."""
    style = _WRAP if table.wrap else ""
    first = corner(table.head[0]) + "".join(th(each, "col", style) for each in table.head[1:])
    lines = [f"<tr>{first}</tr>"]
    for r, row in enumerate(table.rows):
        cells = (
            td(each, f"{style};{_DIFFERS if (r, c) in table.marked else ''}")
            for c, each in enumerate(row[1:])
        )
        lines.append(f"<tr>{th(row[0], 'row')}{''.join(cells)}</tr>")
    return scroll(f'<table style="{TABLE}">{caption(name)}{"".join(lines)}</table>', name)


def as_text(table: Table) -> str:
    """The table with aligned columns."""
    return text_table(table.head, table.rows)


def _listed(what: Listed, name: str) -> str:
    """Every option on a line, with the marks of both at its end."""
    lines = []
    for place, option in enumerate(what.options):
        marks = [YOURS] if place == what.predicted else []
        marks += [COMPUTED] if place == what.computed else []
        tags = "".join(f' <span style="{_TAGS[mark]}">{mark}</span>' for mark in marks)
        look = "font-weight:600" if marks else "opacity:.75"
        lines.append(f'<li style="margin:2px 0;{look}">{inline(option)}{tags}</li>')
    style = "margin:4px 0;padding-left:1.2em;line-height:1.5"
    return f'<ul aria-label="{in_xml(name)}" style="{style}">{"".join(lines)}</ul>'


def _pairs(what: Pairs, name: str) -> str:
    """A table whose first column after the names draws both numbers as bars."""
    values = [abs(x) for _, *both, _, _, _ in what.rows for x in both if x is not None]
    together = max([x for x in values if math.isfinite(x)] or [1.0]) or 1.0
    numbers = "text-align:right;font-variant-numeric:tabular-nums"
    predicted = any(said is not None for _, said, *_ in what.rows)
    names = [YOURS, COMPUTED] if predicted else [COMPUTED]
    head = f'{corner("")}<td class="attn-bars"></td>{"".join(th(each, "col") for each in names)}'
    lines = [f"<tr>{head}<td></td></tr>"]
    for label, said, found, said_text, found_text, apart in what.rows:
        own = max([abs(x) for x in (said, found) if x is not None and math.isfinite(x)] or [1.0])
        scale = together if what.one_scale else own or 1.0
        both = [_bar(said, scale, f"border:2px solid {_SAID}")] if said is not None else []
        both.append(_bar(found, scale, f"border:2px solid {_FOUND};background:{_FOUND}"))
        cells = f'<td class="attn-bars" aria-hidden="true">{"".join(both)}</td>'
        cells += td(said_text, numbers) if predicted else ""
        cells += td(found_text, numbers)
        cells += td(apart.lstrip("≠= "), "text-align:left") if predicted else "<td></td>"
        lines.append(f"<tr>{th(label, 'row')}{cells}</tr>")
    table = f'<table aria-label="{in_xml(name)}" style="{TABLE}">{"".join(lines)}</table>'
    return scroll(table, name)


def _bar(value: float, scale: float, look: str) -> str:
    share = abs(value) / scale if math.isfinite(value) else 0.0
    width = f"width:{round(90 * share)}px;min-width:2px;box-sizing:border-box"
    return f'<div style="{width};height:8px;margin:1px 0;border-radius:2px;{look}"></div>'


def _marked(what: Marked, name: str) -> str:
    """One grid: computed cells are coloured, yours have a thick edge, ✓ or ✗ where both speak."""
    first = corner("") + "".join(th(each, "col", "text-align:center") for each in what.columns)
    lines = [f"<tr>{first}</tr>"]
    for row, cells in zip(what.rows, what.cells, strict=True):
        drawn_cells = "".join(_cell(said, found) for said, found in cells)
        lines.append(f"<tr>{th(row, 'row')}{drawn_cells}</tr>")
    table = f'<table aria-label="{in_xml(name)}" style="{TABLE}">{"".join(lines)}</table>'
    legend = [f'<span style="{_TAGS[COMPUTED]}">{COMPUTED}</span>']
    if any(said is not None for cells in what.cells for said, _ in cells):
        legend.append(f'<span style="{_TAGS[YOURS]}">{YOURS}</span> ✓ they meet, ✗ they do not')
    return f'{scroll(table, name)}<p style="font-size:12px;margin:2px 0">{" ".join(legend)}</p>'


def _cell(said: bool | None, found: bool) -> str:
    look = f"background:{_FOUND};color:#fff;" if found else "color:inherit;"
    look += f"border:3px solid {_SAID};" if said else "border:1px solid #8888;"
    meets = "" if said is None or not (said or found) else "✓" if said == found else "✗"
    spoken = f"{'computed' if found else 'not computed'}"
    if said is not None:
        spoken += f", {'marked' if said else 'not marked'} by you"
    style = f"{look}width:2.6em;height:2em;text-align:center;font-weight:700;padding:0"
    return f'<td aria-label="{spoken}" style="{style}">{meets}</td>'


_DRAWN: dict[type, Any] = {Table: as_html, Listed: _listed, Pairs: _pairs, Marked: _marked}

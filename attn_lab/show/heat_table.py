"""A heatmap as an HTML table with its legend, and as text."""

import numpy as np

from attn_lab.show.cells import BLOCKED_STYLE, INFINITE_STYLE, LEAK_EDGE, NAN_STYLE, Cell
from attn_lab.show.colours import shade
from attn_lab.show.heat_value import HeatMap
from attn_lab.show.numbers import BLOCKED, number, two
from attn_lab.show.tables import TABLE, caption, corner, scroll, td, text_table, th, total
from attn_lab.show.tables import total_head as margin_head

SUM = "row sum"
MOST_NUMBERS = 32  # a longer side is told row by row: nobody reads 100 columns of text
_SWATCH = "display:inline-block;padding:1px 6px;min-width:2em;text-align:center"
_STOPS = (0.0, 0.25, 0.5, 0.75, 1.0)


def heat_table(heat: HeatMap) -> str:
    """Return the map as a table with header cells, coloured cells and, below it, a legend."""
    cells = heat.cells()
    head = corner(_corner(heat)) + "".join(th(key, "col") for key in heat.keys)
    if heat.sums:
        head += margin_head(SUM)
    lines = [f"<tr>{head}</tr>"]
    for query, line, line_sum in zip(heat.queries, cells, heat.row_sums(), strict=True):
        row = th(query, "row") + "".join(td(c.text, c.style + ";min-width:2.3em") for c in line)
        if heat.sums:
            row += total(two(line_sum))
        lines.append(f"<tr>{row}</tr>")
    table = f'<table style="{TABLE}">{caption(heat.title)}{"".join(lines)}</table>'
    return scroll(table, heat.title) + _legend(heat, cells)


def heat_text(heat: HeatMap) -> str:
    """Return the map's numbers as an aligned table, or a line a row where it is large."""
    if max(heat.values.shape) > MOST_NUMBERS:
        return _row_by_row(heat)
    sums = [[two(s)] for s in heat.row_sums()] if heat.sums else [[] for _ in heat.queries]
    rows = [
        [query, *(cell.text for cell in line), *line_sum]
        for query, line, line_sum in zip(heat.queries, heat.cells(), sums, strict=True)
    ]
    return text_table([_corner(heat), *heat.keys, *([SUM] if heat.sums else [])], rows)


def _corner(heat: HeatMap) -> str:
    return f"{heat.axes[0]} ↓ {heat.axes[1]} →"


def _row_by_row(heat: HeatMap) -> str:
    """Each row's largest legal value and its place: what a map of hundreds of columns shows."""
    rows = []
    sums = heat.row_sums()
    for i, query in enumerate(heat.queries):
        values = np.where(heat.allowed[i] & ~np.isnan(heat.values[i]), heat.values[i], -np.inf)
        j = int(values.argmax())
        largest, place = (two(values[j]), heat.keys[j]) if values[j] > -np.inf else (BLOCKED,) * 2
        rows.append([query, largest, place, str(int(heat.allowed[i].sum()))])
        if heat.sums:
            rows[-1].append(two(sums[i]))
    head = [heat.axes[0], "largest", "at", "allowed", *([SUM] if heat.sums else [])]
    return text_table(head, rows)


def _legend(heat: HeatMap, cells: list[list[Cell]]) -> str:
    """The colour bar in five steps, and the signs that this map uses."""
    kinds = {cell.kind for line in cells for cell in line}
    low, high = heat.scale.low, heat.scale.high
    stops = _STOPS if high > low else (0.5,)
    parts = [
        _swatch(number(heat.scale.at(stop), 2), "background:{};color:{}".format(*shade(stop)))
        for stop in stops
    ]
    if heat.masked:
        parts.append(_swatch(BLOCKED, BLOCKED_STYLE) + " blocked")
    if "leak" in kinds:
        parts.append(_swatch("!", LEAK_EDGE) + " blocked, yet it holds weight")
    if "nan" in kinds:
        parts.append(_swatch("nan", NAN_STYLE) + " not a number")
    if "infinite" in kinds:
        parts.append(_swatch("−∞", INFINITE_STYLE) + " infinite")
    what = "weight" if heat.weights else "value"
    return f'<div style="margin:4px 0;font-size:12px">{what}: {" ".join(parts)}</div>'


def _swatch(text: str, style: str) -> str:
    return f'<span style="{_SWATCH};{style}">{text}</span>'

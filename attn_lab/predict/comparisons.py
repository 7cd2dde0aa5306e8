"""A table of the course, such as a prediction beside the computed value, in HTML and in text."""

from attn_lab.course.kinds import Table
from attn_lab.show.tables import TABLE, caption, corner, scroll, td, text_table, th

_WRAP = "white-space:normal;text-align:left;max-width:26em"
_DIFFERS = "font-weight:bold;outline:1px solid currentColor;outline-offset:-1px"


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

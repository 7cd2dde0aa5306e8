"""The parts of every table: readable in light and dark, by eye, by ear and as plain text."""

from collections.abc import Sequence

from attn_lab.show.as_written import escaped, in_html, in_xml, visible, width

# `inherit` and the theme's own variables only: no text colour of ours on a ground of theirs.
_TEXT = "color:var(--jp-content-font-color1,inherit);font-size:13px;line-height:1.4"
_CELL = "padding:3px 6px;text-align:right;white-space:nowrap;border:1px solid transparent"
_EDGE = "1px solid var(--jp-border-color1,#9e9e9e)"
TABLE = (
    "border-collapse:separate;border-spacing:2px;margin:4px 0;width:auto;table-layout:auto;"
    "font-variant-numeric:tabular-nums;font-size:13px;line-height:1.4"
)


def scroll(inner: str, name: str) -> str:
    """`inner` in a block that scrolls sideways, also by keyboard, when it is too wide."""
    # A wide table must take the focus to be scrolled by keyboard; the last attribute keeps a
    # letter typed there from reaching JupyterLab, where `x` cuts the cell.
    return (
        f'<div class="attn-scroll" tabindex="0" role="group" aria-label="{in_xml(name)}" '
        f'data-lm-suppress-shortcuts="true" style="overflow:auto;max-width:100%">{inner}</div>'
    )


def frame(sentence: str, *parts: str, after: str = "") -> str:
    """A picture's HTML: its parts, the sentence that says what is seen, what follows.

    A sentence that only repeats the headers of a table is left out: it is then "".
    """
    # as wide as what it is about, and never what makes the picture wide
    look = "margin:2px 0;width:0;min-width:100%;font-size:12px"
    said = f'<p style="{look}">{in_html(sentence)}</p>' if sentence else ""
    return f'<div class="attn-picture" style="{_TEXT}">{"".join(parts)}{said}{after}</div>'


def caption(text: str) -> str:
    """A table's caption, the name that a screen reader announces."""
    return (
        '<caption style="caption-side:top;text-align:left;font-weight:bold;white-space:nowrap;'
        f'color:var(--jp-content-font-color1,inherit)">{in_html(text)}</caption>'
    )


def td(text: str, style: str = "") -> str:
    """One data cell; text is escaped."""
    return f'<td style="{_CELL};{style}">{in_html(text)}</td>'


def th(text: str, scope: str, style: str = "") -> str:
    """One header cell; scope is "col" or "row"."""
    side = "left" if scope == "row" else "right"
    look = f"{_CELL};text-align:{side};font-weight:600;{style}"
    return f'<th scope="{scope}" style="{look}">{in_html(text)}</th>'


def corner(text: str) -> str:
    """The cell over the row headers, which says what rows and columns are."""
    return f'<td style="{_CELL};text-align:left;font-size:12px">{in_html(text)}</td>'


def total(text: str) -> str:
    """A cell of the margin, set off from the table by a line."""
    return td(text, f"border-left:{_EDGE}")


def total_head(text: str) -> str:
    """The header of the margin."""
    return th(text, "col", f"border-left:{_EDGE}")


def plain_table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of text without colours, under its name."""
    first = corner(head[0]) + "".join(th(column, "col") for column in head[1:])
    body = "".join(
        "<tr>" + _row_name(row[0]) + "".join(td(text) for text in row[1:]) + "</tr>" for row in rows
    )
    return scroll(f'<table style="{TABLE}">{caption(name)}<tr>{first}</tr>{body}</table>', name)


def _row_name(name: str) -> str:
    # or a long name would push every number out of a narrow view
    return th(name, "row", "white-space:normal;min-width:8em" if len(name) > 16 else "")


def numbers(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A drawing's numbers as a table that opens on request, for ears and for checking."""
    return opened(plain_table("Numbers of the picture", head, rows))


def opened(inner: str) -> str:
    """`inner` behind "The numbers", which a click or Enter opens."""
    summary = '<summary data-lm-suppress-shortcuts="true">The numbers</summary>'
    return f"<details>{summary}{inner}</details>"


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An aligned table as text: first column to the left, the others to the right.

    >>> print(text_table(["", "key 1"], [["query 1", "1.00"]]))
             key 1
    query 1   1.00
    """
    lines = [[_one_line(text) for text in line] for line in (head, *rows)]
    widths = [max(width(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            text + gap if i == 0 else gap + text
            for i, text in enumerate(line)
            for gap in [" " * (widths[i] - width(text))]
        ).rstrip()
        for line in lines
    )


def _one_line(text: str) -> str:
    return visible(text).replace("\n", escaped("\n")).replace("\t", escaped("\t"))

"""A small table of named rows: the same quantity got in several ways, before and after."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from attn_lab.show.arrays import as_labels
from attn_lab.show.picture import Picture, paper_table
from attn_lab.show.printed_numbers import number
from attn_lab.show.tables import frame, plain_table, text_table


def side_by_side(
    rows: Mapping[str, Sequence[Any]],
    *,
    columns: Sequence[object] | None = None,
    title: str,
    places: int = 3,
) -> Picture:
    """Named rows as one table, so that equal and unequal numbers stand under each other.

    Shapes: each row [n], columns n names. An entry that is text stays as it is,
    one that a masked array hides is "–".
    Raises: ValueError when there is no row, and when the rows differ in length.

    >>> side_by_side({"before": [10, 0.5], "after": [100, 0.5]}, title="The row", places=1)
    The row: before and after.
            column 1  column 2
    before      10.0       0.5
    after      100.0       0.5
    """
    shown = {str(name): [_entry(x, places) for x in row] for name, row in rows.items()}
    lengths = {name: len(row) for name, row in shown.items()}
    if len(set(lengths.values())) != 1:
        raise ValueError(
            f"rows needs one row or more, all of one length; got {lengths}. Check each row."
        )
    head = as_labels(columns, next(iter(lengths.values())), "columns", "column")
    lines = [[name, *row] for name, row in shown.items()]
    sentence = f"{title}: {_listed(list(shown))}." if len(shown) > 1 else f"{title}."
    html = frame("", plain_table(title, ["", *head], lines))
    text = f"{sentence}\n{text_table(['', *head], lines)}"
    return Picture(sentence, html, text, partial(paper_table, title, ["", *head], lines))


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _entry(x: Any, places: int) -> str:
    if isinstance(x, str):
        return x
    return number(None if x is np.ma.masked else x, places)

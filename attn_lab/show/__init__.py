"""What people look at: maps, tables and curves, each with one sentence and its numbers as text.

Every drawing function gives a Picture and shows nothing by itself. Rows are queries, columns
are keys, positions count from 1. Colour is never the only sign, and nothing here runs a script.
Names load on first use (PEP 562): who only prints a number needs no matplotlib.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attn_lab.show.bar_charts import bars
    from attn_lab.show.curves import curve
    from attn_lab.show.heatmaps import heatmap
    from attn_lab.show.named_rows import side_by_side
    from attn_lab.show.picture import Picture
    from attn_lab.show.place_map import places_map
    from attn_lab.show.readings import reading_lines
    from attn_lab.show.row_calculation import row_steps

_HOME = {
    "Picture": "picture",
    "bars": "bar_charts",
    "curve": "curves",
    "heatmap": "heatmaps",
    "places_map": "place_map",
    "reading_lines": "readings",
    "row_steps": "row_calculation",
    "side_by_side": "named_rows",
}

__all__ = [
    "Picture",
    "bars",
    "curve",
    "heatmap",
    "places_map",
    "reading_lines",
    "row_steps",
    "side_by_side",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"attn_lab.show.{_HOME[name]}"), name)
    raise AttributeError(f"module 'attn_lab.show' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

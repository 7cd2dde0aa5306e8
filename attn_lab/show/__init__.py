"""What people look at: maps, tables and curves, each with one sentence and its numbers as text.

Every drawing function returns a Picture and shows nothing by itself. Rows are queries, columns
are keys, positions count from 1. Colour is never the only sign, and nothing here runs a script.
"""

from attn_lab.show.heatmaps import heatmap
from attn_lab.show.picture import Picture

__all__ = ["Picture", "heatmap"]

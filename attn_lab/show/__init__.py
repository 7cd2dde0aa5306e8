"""What people look at: maps, tables and curves, each with one sentence and its numbers as text.

Every drawing function returns a Picture and shows nothing by itself. Rows are queries, columns
are keys, positions count from 1. Colour is never the only sign, and nothing here runs a script.
"""

from attn_lab.show.bar_charts import bars
from attn_lab.show.curves import curve
from attn_lab.show.heatmaps import heatmap
from attn_lab.show.named_rows import side_by_side
from attn_lab.show.picture import Picture
from attn_lab.show.places import places_map
from attn_lab.show.row_tables import row_steps

__all__ = ["Picture", "bars", "curve", "heatmap", "places_map", "row_steps", "side_by_side"]

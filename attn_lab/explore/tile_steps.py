"""Tiles: step through the online softmax of one row, tile by tile."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import ipywidgets as widgets
from torch import Tensor

from attn_lab.core.attention import attention
from attn_lab.core.masks import causal_mask
from attn_lab.explore.explorer import Explorer
from attn_lab.explore.tensors import matrices
from attn_lab.explore.tile_record import TileStep, row_in_tiles
from attn_lab.explore.tile_views import drawn, said
from attn_lab.widgets.named_controls import choice, counter, presets, ranged, tick, wrapped


def tiles(
    q: Any, k: Any, v: Any, *, block_size: int = 2, row: int | None = None,
    causal: bool = False, scale: float | None = None,
) -> "Tiles":  # fmt: skip
    """Return an explorer of one row read in tiles of `block_size` keys.

    Shapes: q [T_q, d_k], k [T_k, d_k], v [T_k, d_v], at most 16 keys. row counts from 0.
    Raises: ValueError when the shapes do not fit, and for a row or a size that does not exist.

    >>> tiles([[1]], [[1], [3], [2], [5]], [[1], [2], [3], [4]], scale=1.0)
    An explorer: run this cell in JupyterLab to move its controls.
    """
    tensors = matrices(q, k, v, square=False)
    n_queries, n_keys = len(tensors[0]), len(tensors[1])
    if not 1 <= block_size <= n_keys:
        raise ValueError(
            f"block_size needs 1 to {n_keys}, the number of keys; got {block_size}. "
            "A tile holds at least one key and at most all of them."
        )
    chosen = n_queries - 1 if row is None else row
    if not 0 <= chosen < n_queries:
        raise ValueError(
            f"row needs an index from 0 to {n_queries - 1}, one of q's rows; got {row}. "
            "Query 1 is row 0."
        )
    return Tiles(*tensors, Setting(chosen, causal, block_size), scale)


@dataclass(frozen=True)
class Setting:
    """The row (index from 0), the mask, the size of a tile, and how many tiles are read."""

    row: int
    masked: bool
    size: int
    step: int = 0


class Tiles(Explorer):
    """The explorer's setting and its controls."""

    name = "tiles"

    def __init__(
        self, q: Tensor, k: Tensor, v: Tensor, setting: Setting, scale: float | None
    ) -> None:
        super().__init__()
        self.q, self.k, self.v, self.scale = q, k, v, scale
        self.setting = setting

    def steps(self, setting: Setting) -> list[TileStep]:
        """Return the record of the setting's row."""
        return row_in_tiles(
            self.q, self.k, self.v, setting.row, setting.masked, setting.size, self.scale
        )

    def controls(self) -> list[widgets.Widget]:
        setting = self.setting
        rows = [(f"query {i + 1}", i) for i in range(len(self.q))]
        self.pickers = {
            "step": counter("tiles read", setting.step, len(self.steps(setting)), least=0),
            "size": counter("keys in a tile", setting.size, len(self.k)),
            "masked": tick("causal mask", setting.masked),
            "row": choice("row", rows, setting.row),
        }
        for what, picker in self.pickers.items():
            picker.observe(self.watched(partial(self.on_pick, what)), "value")
        moves = {
            "next tile": lambda: self.move(1),
            "one tile back": lambda: self.move(-1),
            "before the first": lambda: self.move(-len(self.k)),
            "after the last": lambda: self.move(len(self.k)),
            "all keys in one tile": lambda: self.choose(
                replace(self.setting, size=len(self.k), step=1)
            ),
        }
        shown = [p for what, p in self.pickers.items() if what != "row" or len(rows) > 1]
        return [wrapped(*shown), presets(moves, self.watched)]

    def move(self, by: int) -> None:
        """Read so many tiles more (or fewer), within those that there are."""
        self.choose(replace(self.setting, step=self.setting.step + by))

    def on_pick(self, what: str, change: Any) -> None:
        self.choose(replace(self.setting, **{what: change["new"]}))

    def choose(self, setting: Setting) -> None:
        """Take over a setting, move every control to it and redraw once."""
        count = len(self.steps(setting))
        setting = replace(setting, step=min(max(setting.step, 0), count))
        with self.moving():
            self.setting = setting
            self.pickers["step"].max = count
            self.pickers["step"].description = ranged("tiles read", count, least=0)
            for what, picker in self.pickers.items():
                picker.value = getattr(setting, what)
            self.redraw()

    def look(self) -> tuple[str, str]:
        setting = self.setting
        steps = self.steps(setting)
        mask = causal_mask(len(self.q), len(self.k), align="lower_right")
        dense = attention(
            self.q, self.k, self.v, allowed=mask if setting.masked else None, scale=self.scale,
            fully_masked="zero",
        ).output[setting.row]  # fmt: skip
        return said(steps, setting.step, dense), drawn(steps, setting.step)

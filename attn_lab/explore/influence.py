"""Influence: a cell's weight beside what happens when the model has to do without it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import ipywidgets as widgets

from attn_lab.explore.explorer import Explorer
from attn_lab.explore.removals import SEQUENCES, Removal, drawn, outcome, said
from attn_lab.models.interventions import HOWS, Cell
from attn_lab.models.recall_model import N_HEADS, N_LAYERS, SEEDS
from attn_lab.models.recall_task import LENGTH, N_PAIRS
from attn_lab.models.workbench import workbench
from attn_lab.widgets.named_controls import choice, counter, presets, wrapped

_EXTENTS = [("one cell", "cell"), ("a whole head", "head"), ("both heads of a layer", "layer")]


def influence(seed: int = 0) -> "Influence":
    """An explorer of the trained model: take a cell away, see what it costs.

    Raises: ValueError for a seed that was not trained.

    >>> influence(seed=0)
    An explorer: run this cell in JupyterLab to move its controls.
    """
    if seed not in SEEDS:
        raise ValueError(f"seed needs one of {SEEDS}; got {seed!r}. Only these were trained.")
    return Influence(seed)


class Influence(Explorer):
    """What is taken away, and the controls that choose it."""

    name = "influence"

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._seed = seed

    def controls(self) -> list[widgets.Widget]:
        self.removal = Removal(self._seed, 1, 1, workbench(self._seed).links()[0])
        r = self.removal
        self.pickers = {
            "seed": choice("model", [(f"seed {s}", s) for s in SEEDS], r.seed),
            "sequence": counter("sequence", r.sequence, SEQUENCES),
            "pair": choice("asks about", [(f"pair {i}", i) for i in _upto(N_PAIRS)], r.pair),
            "extent": choice("take away", _EXTENTS, r.extent),
            "layer": choice("layer", [(str(i), i) for i in _upto(N_LAYERS)], r.cell.layer),
            "head": choice("head", [(str(i), i) for i in _upto(N_HEADS)], r.cell.head),
            "query": counter("query", r.cell.query, LENGTH),
            "key": counter("key", r.cell.key, LENGTH),
            "how": choice("put instead", [(how, how) for how in HOWS], r.how),
        }
        for what, picker in self.pickers.items():
            picker.observe(self.watched(partial(self.on_pick, what)), "value")
        lines = [
            ("seed", "sequence", "pair"),
            ("extent", "layer", "head", "query", "key"),
            ("how",),
        ]
        made = [wrapped(*(self.pickers[what] for what in line)) for line in lines]
        return [*made, presets(self._presets(), self.watched)]

    def _presets(self) -> dict[str, Any]:
        return {text: partial(self.on_preset, text) for text in PRESETS}

    def on_preset(self, text: str) -> None:
        self.choose(PRESETS[text](self.removal))

    def on_pick(self, what: str, change: Any) -> None:
        new = {what: change["new"]}
        if what in Cell._fields:
            new = {"cell": self._chosen_cell()}
        self.choose(replace(self.removal, **new))

    def _chosen_cell(self) -> Cell:
        """The cell that the four controls name together, so that each may be changed in turn."""
        cell = Cell(*(self.pickers[what].value for what in Cell._fields))
        if cell.key > cell.query:
            raise ValueError(
                f"Query {cell.query} may not read key {cell.key}: it comes later. "
                f"Choose a key from 1 to {cell.query}, or a later query."
            )
        return cell

    def choose(self, removal: Removal) -> None:
        """Take over what is to be removed, move every control to it and redraw once."""
        with self.moving():
            self.removal = removal
            for what, picker in self.pickers.items():
                part = removal.cell if what in Cell._fields else removal
                picker.value = getattr(part, what)
            self._rest()
            self.redraw()

    def _rest(self) -> None:
        """Lock what plays no part: a head has no cell, a layer no head."""
        extent = self.removal.extent
        for what in ("query", "key"):
            self.pickers[what].disabled = extent != "cell"
        self.pickers["head"].disabled = extent == "layer"

    def look(self) -> tuple[str, str]:
        found = outcome(workbench(self.removal.seed), self.removal)
        return said(self.removal, found), drawn(self.removal, found)


def _link(removal: Removal, pair: int) -> Removal:
    """The first pair's link taken away, while the question is about `pair`."""
    cell = workbench(removal.seed).links()[0]
    return replace(removal, cell=cell, pair=pair, extent="cell", how="zero")


def _forced(removal: Removal) -> Removal:
    return replace(removal, cell=Cell(1, 1, 1, 1), extent="cell", how="zero")


def _unread(removal: Removal) -> Removal:
    """The brightest cell of a row of the last layer that nothing reads afterwards."""
    tokens = outcome(workbench(removal.seed), removal).tokens
    weights = workbench(removal.seed).run(tokens).weights[-1][0]  # [n_heads, T, T]
    rows = weights[:, : LENGTH - 1].clone()
    rows[:, 0] = 0  # its one legal key is another story
    head, query, key = (int(i) for i in (rows == rows.max()).nonzero()[0])
    return replace(
        removal, cell=Cell(N_LAYERS, head + 1, query + 1, key + 1), extent="cell", how="zero"
    )


def _without(removal: Removal, extent: Any) -> Removal:
    return replace(removal, cell=Cell(N_LAYERS, 1, LENGTH, 1), extent=extent, how="mean")


PRESETS: dict[str, Callable[[Removal], Removal]] = {
    "a link that is asked for": partial(_link, pair=1),
    "the same link, another asked": partial(_link, pair=2),
    "a forced cell": _forced,
    "a row that nobody reads": _unread,
    "one head of layer 2": partial(_without, extent="head"),
    "both heads of layer 2": partial(_without, extent="layer"),
}


def _upto(count: int) -> range:
    return range(1, count + 1)

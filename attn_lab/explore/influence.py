"""Influence: a cell's weight beside what happens when the model has to do without it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from attn_lab.explore.explorer import Explorer
from attn_lab.explore.removals import TEXTS, Removal, drawn, outcome, said
from attn_lab.models.interventions import HOWS, Cell
from attn_lab.models.sentence_model import BUILDS, SEEDS
from attn_lab.models.sentence_texts import LENGTHS, THINGS
from attn_lab.models.workbench import workbench
from attn_lab.widgets.parts import Part, choice, counter, row

_T = LENGTHS["asked"]
_LAYERS, _HEADS = BUILDS["asked"].n_layers, BUILDS["asked"].n_heads
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
        self._removal: Removal | None = None

    @property
    def removal(self) -> Removal:
        """What is taken away; the model is loaded when that is first asked for."""
        if self._removal is None:
            self._removal = Removal(self._seed, 1, 1, workbench(self._seed).links()[0])
        return self._removal

    def controls(self) -> list[Part]:
        extent = self.removal.extent
        off = {"head": extent == "layer", "query": extent != "cell", "key": extent != "cell"}
        return [
            row(
                choice("seed", "model", [(f"seed {s}", s) for s in SEEDS]),
                counter("text", "text", TEXTS),
                choice("thing", "asks about", [(f"thing {i}", i) for i in THINGS]),
            ),
            row(
                choice("extent", "take away", _EXTENTS),
                choice("layer", "layer", [(str(i), i) for i in _upto(_LAYERS)]),
                choice("head", "head", [(str(i), i) for i in _upto(_HEADS)], off=off["head"]),
            ),
            row(
                counter("query", "query", _T, off=off["query"]),
                counter("key", "key", _T, off=off["key"]),
                choice("how", "put instead", [(how, how) for how in HOWS]),
            ),
        ]

    def values(self) -> dict[str, Any]:
        r = self.removal
        own = {"seed": r.seed, "text": r.text, "thing": r.thing}
        return {**own, "extent": r.extent, "how": r.how, **r.cell._asdict()}

    def moved(self, name: str, value: Any) -> None:
        most = {"text": TEXTS, "query": _T, "key": _T}
        if name in most and (value is None or not 1 <= value <= most[name]):
            said = "nothing" if value is None else value
            raise ValueError(f"{name}: expected a whole number from 1 to {most[name]}; got {said}.")
        if name == "cell":  # pressed on the map, where each is a query and a key
            query, key = (at + 1 for at in value)
            if not 1 <= key <= _T:  # the row's header, or its sum
                return
            cell = self.removal.cell._replace(query=query, key=key)
            self.choose(replace(self.removal, cell=_legal(cell), extent="cell"))
        elif name in Cell._fields:
            # as the four controls name it together, so that each may be changed in turn
            cell = Cell(**{what: self.panel().values[what] for what in Cell._fields})
            self.choose(replace(self.removal, cell=_legal(cell)))
        else:
            self.choose(replace(self.removal, **{name: value}))

    def presets(self) -> dict[str, Any]:
        return {text: (why, partial(self.on_preset, text)) for text, (why, _) in PRESETS.items()}

    def on_preset(self, text: str) -> None:
        """Take over a named removal."""
        _, made = PRESETS[text]
        self.choose(made(self.removal))

    def choose(self, removal: Removal) -> None:
        """Take over what is to be removed, where that can be."""
        removal.check()
        self._removal = removal

    def look(self) -> tuple[str, str]:
        found = outcome(workbench(self.removal.seed), self.removal)
        return said(self.removal, found), drawn(self.removal, found)


def _legal(cell: Cell) -> Cell:
    """The cell, where its query may read its key."""
    if cell.key > cell.query:
        raise ValueError(
            f"Query {cell.query} may not read key {cell.key}: it comes later. "
            f"Choose a key from 1 to {cell.query}, or a later query."
        )
    return cell


def _link(removal: Removal, thing: int) -> Removal:
    """The first thing's link taken away, while the question is about `thing`."""
    cell = workbench(removal.seed).links()[0]
    return replace(removal, cell=cell, thing=thing, extent="cell", how="zero")


def _forced(removal: Removal) -> Removal:
    return replace(removal, cell=Cell(1, 1, 1, 1), extent="cell", how="zero")


def _unread(removal: Removal) -> Removal:
    """The brightest cell of a row of the last layer that nothing reads afterwards."""
    tokens = outcome(workbench(removal.seed), removal).tokens
    weights = workbench(removal.seed).run(tokens).weights[-1][0]  # [n_heads, T, T]
    rows = weights[:, : _T - 1].clone()
    rows[:, 0] = 0  # its one legal key is another story
    head, query, key = (int(i) for i in (rows == rows.max()).nonzero()[0])
    return replace(
        removal, cell=Cell(_LAYERS, head + 1, query + 1, key + 1), extent="cell", how="zero"
    )


def _without(removal: Removal, extent: Any) -> Removal:
    return replace(removal, cell=Cell(_LAYERS, 1, _T, 1), extent=extent, how="mean")


PRESETS: dict[str, tuple[str, Callable[[Removal], Removal]]] = {
    "a link that is asked for": ("is the answer lost?", partial(_link, thing=1)),
    "the same link, another asked": ("is it needed here too?", partial(_link, thing=2)),
    "a forced cell": ("what does 1.00 cost?", _forced),
    "a row that nobody reads": ("bright, and needed?", _unread),
    "one head of layer 2": ("does the other stand in?", partial(_without, extent="head")),
    "both heads of layer 2": ("and without a stand-in?", partial(_without, extent="layer")),
}


def _upto(count: int) -> range:
    return range(1, count + 1)

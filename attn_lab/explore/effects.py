"""What taking a cell away does: its weight beside what its loss costs, and how far it leads."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from torch import Tensor

from attn_lab.models.interventions import Cell, How, head_cells
from attn_lab.models.recall_model import N_HEADS
from attn_lab.models.recall_task import NAMES, accuracy, ask_about, lead, sequences
from attn_lab.models.workbench import Workbench, workbench

SEQUENCES = 500
Extent = Literal["cell", "head", "layer"]


@dataclass(frozen=True)
class Removal:
    """What is asked of the model, and what is taken from it."""

    seed: int
    sequence: int  # from 1
    pair: int  # the pair that is asked about, from 1
    cell: Cell
    extent: Extent = "cell"
    how: How = "zero"

    def cells(self) -> list[Cell]:
        """Return the cells to take away: one, all of a head, or all of a layer's heads."""
        if self.extent == "cell":
            return [self.cell]
        chosen = [self.cell.head] if self.extent == "head" else range(1, N_HEADS + 1)
        return [cell for head in chosen for cell in head_cells(self.cell.layer, head)]

    def check(self) -> None:
        """Refuse what would leave a row without any key to read."""
        if self.how == "block" and (self.extent != "cell" or self.cell.query == 1):
            rows = "the row its one legal key" if self.extent == "cell" else "its rows every key"
            raise ValueError(
                f"Blocking here takes from {rows}, and no weights are left to share out. "
                "Choose zero, mean or swap."
            )

    def said(self) -> str:
        layer, head, query, key = self.cell
        if self.extent == "layer":
            return f"both heads of layer {layer}"
        if self.extent == "head":
            return f"all of layer {layer}, head {head}"
        return f"layer {layer}, head {head}, query {query} reads key {key}"


@dataclass(frozen=True)
class Outcome:
    """The numbers of one removal, in this sequence and in 500."""

    tokens: Tensor  # [1, 10]
    weight: float
    before: float
    after: float
    answer: str
    right: bool
    near: float
    far: float
    limit: float
    mean_lost: float
    accuracy: tuple[float, float]
    map: Tensor  # [10, 10]


@cache
def _normal(seed: int, pair: int) -> tuple[Tensor, float]:
    """The 500 held-out sequences asked about a pair, and how many the model answers right."""
    many = ask_about(sequences(SEQUENCES, seed=1), pair)
    return many, accuracy(workbench(seed).run(many).logits, many)


def outcome(bench: Workbench, removal: Removal) -> Outcome:
    """Return what the removal does, measured on the trained model."""
    removal.check()
    many, clean_accuracy = _normal(bench.seed, removal.pair)
    one = many[removal.sequence - 1 : removal.sequence]
    clean = bench.run(one)
    layer, head, query, key = removal.cell
    cells = removal.cells()
    # The whole batch in its own order, so that "swap" gives this sequence the same donor.
    effect = bench.remove(many, cells, removal.how)
    i = removal.sequence - 1
    return Outcome(
        tokens=one,
        weight=float(clean.weights[layer - 1][0, head - 1, query - 1, key - 1]),
        before=float(lead(clean.logits, one)[0]),
        after=float(effect.lead[i]),
        answer=NAMES[int(bench.model.read_out(effect.state[i : i + 1, None]).argmax())],
        right=bool(effect.lead[i] > 0),
        near=float(bench.distance(clean.state)[0]),
        far=float(bench.distance(effect.state[i : i + 1])[0]),
        limit=bench.limit,
        mean_lost=float(effect.lost.mean()),
        accuracy=(clean_accuracy, effect.accuracy),
        map=clean.weights[layer - 1][0, head - 1],
    )

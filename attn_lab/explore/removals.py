"""What taking cells away does: measured on the trained model, in words, and as a table of costs."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from torch import Tensor

from attn_lab.core.masks import causal_mask
from attn_lab.explore.explorer import beside, pressable
from attn_lab.models.interventions import Cell, How, head_cells
from attn_lab.models.recall_model import N_HEADS
from attn_lab.models.recall_task import (
    NAMES,
    accuracy,
    answers,
    ask_about,
    lead,
    sequences,
    spelled,
)
from attn_lab.models.workbench import Workbench, workbench
from attn_lab.show import heatmap
from attn_lab.show.printed_numbers import number, two
from attn_lab.show.tables import plain_table

SEQUENCES = 500
Extent = Literal["cell", "head", "layer"]
WAYS: dict[How, str] = {
    "zero": "With nothing in its place",
    "mean": "With its mean over normal sequences in its place",
    "swap": "With what it gave in another sequence in its place",
    "block": "Blocked, so that its row reads other keys instead",
}


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
        """The cells to take away: one, all of a head, or all of a layer's heads."""
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
    """What the removal does, measured on the trained model."""
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


def said(removal: Removal, found: Outcome) -> str:
    """The weight, what was lost and how far from normal, in one line of text."""
    right = right_answer(found)
    what = removal.said()
    if removal.extent == "cell":
        what += f" with weight {two(found.weight)}"
    answer = f"still answers {right}" if found.right else f"answers {found.answer}, not {right}"
    return (
        f"Asked about pair {removal.pair}: {what}. {WAYS[removal.how]}: the lead goes from "
        f"{one(found.before)} to {one(found.after)}, the model {answer}. In {SEQUENCES} sequences "
        f"the mean loss of lead is {one(found.mean_lost)}, and {two(found.accuracy[1])} of the "
        f"answers are right. Distance to normal {one(found.far)}; "
        f"99 % of normal states have less than {one(found.limit)}."
    )


def drawn(removal: Removal, found: Outcome) -> str:
    """The map with the cell marked, and the numbers before and after."""
    names = [f"{i} {name}" for i, name in enumerate(spelled(found.tokens[0]), start=1)]
    _, _, query, key = removal.cell
    whole = removal.extent != "cell"
    queries = [n + (" ◂" if i == query and not whole else "") for i, n in enumerate(names, 1)]
    keys = [n + (" ▾" if i == key and not whole else "") for i, n in enumerate(names, 1)]
    allowed = causal_mask(len(names))
    title = f"Layer {removal.cell.layer}, head {removal.cell.head}, before anything is taken away"
    one_map = heatmap(found.map, allowed=allowed, queries=queries, keys=keys, title=title)
    costs = [
        ["lead, this sequence", one(found.before), one(found.after)],
        ["answer, this sequence", right_answer(found), found.answer],
        ["distance to normal, this sequence", one(found.near), one(found.far)],
        [f"right answers, {SEQUENCES} sequences", *(two(share) for share in found.accuracy)],
        # Untouched, nothing is lost; an empty cell would be read aloud as a gap.
        [f"mean loss of lead, {SEQUENCES} sequences", one(0.0), one(found.mean_lost)],
    ]
    table = plain_table("What it costs", ["", "untouched", "taken away"], costs)
    return beside(table, pressable("cell", one_map.html))


def right_answer(found: Outcome) -> str:
    """The name of the value that stood after the asked key."""
    return NAMES[int(answers(found.tokens)[0])]


def one(x: float) -> str:
    """A number with one decimal: all that holds for every seed."""
    return number(x, 1)

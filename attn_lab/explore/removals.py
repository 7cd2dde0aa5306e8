"""What taking cells away does: measured on the trained model, in words, and as a table of costs."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from torch import Tensor

from attn_lab.core.masks import causal_mask
from attn_lab.explore.explorer import beside, pressable
from attn_lab.models.interventions import Cell, How, head_cells
from attn_lab.models.sentence_model import BUILDS
from attn_lab.models.sentence_texts import (
    LENGTHS,
    WORDS,
    accuracy,
    answers,
    ask_about,
    lead,
    spelled,
    texts,
)
from attn_lab.models.workbench import Workbench, workbench
from attn_lab.show import heatmap
from attn_lab.show.printed_numbers import number, two
from attn_lab.show.tables import plain_table

TEXTS = 500
Extent = Literal["cell", "head", "layer"]
WAYS: dict[How, str] = {
    "zero": "With nothing in its place",
    "mean": "With its mean over normal texts in its place",
    "swap": "With what it gave in another text in its place",
    "block": "Blocked, so that its row reads other keys instead",
}


@dataclass(frozen=True)
class Removal:
    """What is asked of the model, and what is taken from it."""

    seed: int
    text: int  # from 1
    thing: int  # the thing that is asked about, from 1
    cell: Cell
    extent: Extent = "cell"
    how: How = "zero"

    def cells(self) -> list[Cell]:
        """The cells to take away: one, all of a head, or all of a layer's heads."""
        if self.extent == "cell":
            return [self.cell]
        layer, head, *_ = self.cell
        chosen = [head] if self.extent == "head" else range(1, BUILDS["asked"].n_heads + 1)
        return [cell for each in chosen for cell in head_cells(layer, each, LENGTHS["asked"])]

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
    """The numbers of one removal, in this text and in 500."""

    tokens: Tensor  # [1, 14]
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
    map: Tensor  # [14, 14]


@cache
def _normal(seed: int, thing: int) -> tuple[Tensor, float]:
    """The 500 held-out texts asked about a thing, and how many the model answers right."""
    many = ask_about(texts("asked", TEXTS, seed=1), thing)
    return many, accuracy(workbench(seed).run(many).logits, many)


def outcome(bench: Workbench, removal: Removal) -> Outcome:
    """What the removal does, measured on the trained model."""
    removal.check()
    many, clean_accuracy = _normal(bench.seed, removal.thing)
    one = many[removal.text - 1 : removal.text]
    clean = bench.run(one)
    layer, head, query, key = removal.cell
    cells = removal.cells()
    # The whole batch in its own order, so that "swap" gives this text the same donor.
    effect = bench.remove(many, cells, removal.how)
    i = removal.text - 1
    return Outcome(
        tokens=one,
        weight=float(clean.weights[layer - 1][0, head - 1, query - 1, key - 1]),
        before=float(lead(clean.logits, one)[0]),
        after=float(effect.lead[i]),
        answer=WORDS[int((effect.state[i] @ bench.model.answer).argmax())],
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
        f"Asked about thing {removal.thing}: {what}. {WAYS[removal.how]}: the lead goes from "
        f"{one(found.before)} to {one(found.after)}, the model {answer}. In {TEXTS} texts "
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
        ["lead, this text", one(found.before), one(found.after)],
        ["answer, this text", right_answer(found), found.answer],
        ["distance to normal, this text", one(found.near), one(found.far)],
        [f"right answers, {TEXTS} texts", *(two(share) for share in found.accuracy)],
        # Untouched, nothing is lost; an empty cell would be read aloud as a gap.
        [f"mean loss of lead, {TEXTS} texts", one(0.0), one(found.mean_lost)],
    ]
    table = plain_table("What it costs", ["", "untouched", "taken away"], costs)
    return beside(table, pressable("cell", one_map.html))


def right_answer(found: Outcome) -> str:
    """The right next word."""
    return WORDS[int(answers(found.tokens)[0])]


def one(x: float) -> str:
    """A number with one decimal: all that holds for every seed."""
    return number(x, 1)

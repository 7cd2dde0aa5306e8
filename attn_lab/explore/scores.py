"""Scores: one slider for each score, and what all of them together make of the weights."""

from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn_lab.core.attention import masked_softmax
from attn_lab.explore.explorer import Explorer
from attn_lab.show.arrays import as_labels, as_row
from attn_lab.show.printed_numbers import number, plain, two
from attn_lab.show.printed_numbers import row as numbers_of
from attn_lab.show.tables import TABLE, scroll, td, th
from attn_lab.widgets.panel import PROBLEM
from attn_lab.widgets.parts import Part, choice, region, row, sides, slider, stack

MOST = 6
STEPS = [step / 2 for step in range(-10, 11)]
MARKS = (0, 5, 10, 15, 20)
ADDED = (-100.0, -1.0, 0.0, 1.0, 100.0)
_BAR = "height:14px;border-radius:2px;background:#2f6fd0"
FACTORS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0)


def scores(values: Any, labels: Any = None) -> "Scores":
    """An explorer of one row of scores: slide them, add a constant, multiply by a factor.

    Shapes: values [T_k], at most 6, each from −5 to 5; they move in steps of a half.
    Raises: ValueError for more scores than that, or larger ones.

    >>> scores([2, 1, 0])
    An explorer: run this cell in JupyterLab to move its controls.
    """
    made = torch.from_numpy(as_row(values, "values"))
    if len(made) > MOST or float(made.abs().max()) > STEPS[-1]:
        raise ValueError(
            f"values needs at most {MOST} scores from −5 to 5, one slider each; got "
            f"{numbers_of(made, 1)}. Pass a part, for example values[:{MOST}]."
        )
    return Scores(made, as_labels(labels, len(made), "labels", "key"))


class Scores(Explorer):
    """The scores, what is added to all of them, and what all are multiplied by."""

    name = "scores"

    def __init__(self, start: Tensor, names: list[str]) -> None:
        super().__init__()
        self.names = names
        self.start = [min(STEPS, key=lambda step: abs(step - score)) for score in start.tolist()]
        self.scores, self.added, self.factor = list(self.start), 0.0, 1.0

    def controls(self) -> list[Part]:
        steps = [number(step, 1) for step in STEPS]
        return [slider(name, f"score of {name}", steps, MARKS) for name in self.names]

    def laid_out(self) -> list[Part]:
        said = [region(PROBLEM, live=True), region("said", "attn-result", live=True)]
        added = choice("added", "add to every score", [(number(x, 0), x) for x in ADDED])
        factor = choice("factor", "multiply every score by", [(plain(x, 2), x) for x in FACTORS])
        beside = sides(stack(*self.controls()), stack(*said, region("shown")))
        return [beside, row(added, factor), self.preset_buttons()]

    def values(self) -> dict[str, Any]:
        own = dict(zip(self.names, map(STEPS.index, self.scores), strict=True))
        return {**own, "added": self.added, "factor": self.factor}

    def moved(self, name: str, value: Any) -> None:
        if name in ("added", "factor"):
            setattr(self, name, float(value))
        else:
            self.scores[self.names.index(name)] = STEPS[value]

    def presets(self) -> dict[str, Any]:
        return {
            "as at the start": ("", partial(self.choose, 0.0, 1.0)),
            "100 on every score": ("does a weight move?", partial(self.choose, 100.0, 1.0)),
            "8 times every score": ("who takes it all?", partial(self.choose, 0.0, 8.0)),
            "0 times every score": ("what is left to tell?", partial(self.choose, 0.0, 0.0)),
        }

    def choose(self, added: float, factor: float) -> None:
        """Take over the scores of the start, with a constant and a factor."""
        self.scores, self.added, self.factor = list(self.start), added, factor

    def look(self) -> tuple[str, str]:
        now = torch.tensor(self.scores, dtype=torch.float64) * self.factor + self.added
        weights = masked_softmax(now)
        largest = int(weights.argmax())
        said = f"{self.names[largest]} has the largest weight, {two(weights[largest])}"
        even = len(set(self.scores)) == 1 or not self.factor
        sentence = f"{'All weights are equal' if even else said}; they add to 1.00."
        return sentence[0].upper() + sentence[1:], _drawn(self.names, now, weights)


def _drawn(names: list[str], scores: Tensor, weights: Tensor) -> str:
    """Scores and weights in a table, each weight as a bar on the fixed scale 0 to 1."""
    head = f"<tr><td></td>{th('score', 'col')}{th('weight', 'col')}<td></td></tr>"
    lines = [
        f"<tr>{th(name, 'row')}{td(number(score, 1))}{td(number(weight, 3))}"
        f'<td style="width:14em;padding:0"><div aria-hidden="true" '
        f'style="width:{100 * weight:.1f}%;{_BAR}"></div></td></tr>'
        for name, score, weight in zip(names, scores.tolist(), weights.tolist(), strict=True)
    ]
    return scroll(f'<table style="{TABLE}">{head}{"".join(lines)}</table>', "scores and weights")

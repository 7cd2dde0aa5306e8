"""Learning: a slider over the steps in which a bank head learns, and how "bank" reads at each."""

from functools import cache, partial
from typing import Any

import torch

from attn_lab.core.heads import project
from attn_lab.explore.explorer import Explorer
from attn_lab.models.bank_findings import look
from attn_lab.models.bank_head import Head, embed, new_head
from attn_lab.models.bank_sentences import sentences, spelled
from attn_lab.models.bank_weights import SEEDS, STEPS, learn
from attn_lab.show.printed_numbers import two
from attn_lab.show.readings import reading_lines
from attn_lab.widgets.parts import Part, choice, row, slider

LAST = STEPS[-1]
# Sentences: the context before "bank" for either meaning, after it, and far away.
SHOWN = (1, 0, 55, 24)


def learning(seed: int = 16) -> "Learning":
    """An explorer of a head that learns which bank is meant; it is trained when first shown.

    Raises: ValueError for a seed that is none of 0 to 19.

    >>> learning()
    An explorer: run this cell in JupyterLab to move its controls.
    """
    if seed not in SEEDS:
        raise ValueError(f"seed: expected 0 to {SEEDS[-1]}, got {seed!r}. Choose one of the 20.")
    return Learning(seed)


@cache
def trained(seed: int) -> list[Head]:
    """The head after every step from 0 on, trained now (less than a second)."""
    return learn(new_head(seed), sentences(), LAST)


class Learning(Explorer):
    """Which head, which sentence, and after how many steps."""

    name = "learning"

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed, self.step, self.sentence = seed, 0, SHOWN[0]

    def controls(self) -> list[Part]:
        texts = [(spelled(sentences().tokens[one]), one) for one in SHOWN]
        return [
            slider("step", "step of the training", [str(s) for s in range(LAST + 1)], STEPS),
            row(
                choice("seed", "head", [(f"head {seed}", seed) for seed in SEEDS]),
                choice("sentence", "sentence", texts),
            ),
        ]

    def values(self) -> dict[str, Any]:
        return {"step": self.step, "seed": self.seed, "sentence": self.sentence}

    def moved(self, name: str, value: Any) -> None:
        setattr(self, name, int(value))

    def presets(self) -> dict[str, Any]:
        return {
            "right before the map shows it": ("where does the answer come from?", self._to(16, 20)),
            "ten steps later": ("what has been learned since?", self._to(16, 30)),
            "another head, as sharp": ("does it need what it reads?", self._to(7, 100)),
            "right without the word": ("what does “bank” read here?", self._to(12, 100)),
        }

    def _to(self, seed: int, step: int) -> Any:
        return partial(self.choose, seed, step, SHOWN[0])

    def choose(self, seed: int, step: int, sentence: int) -> None:
        """Take over a head, a step and a sentence."""
        self.seed, self.step, self.sentence = seed, step, sentence

    def look(self) -> tuple[str, str]:
        head, bank = trained(self.seed)[self.step], sentences()
        seen = look(head, bank)
        words = spelled(bank.tokens[self.sentence]).split()
        with torch.no_grad():
            values = project(embed(head, bank.tokens[self.sentence]), head[3])
        answer = float(seen.answers[self.sentence])
        sentence = (
            f"Step {self.step}: {int(seen.right.sum())} of {len(bank.tokens)} right. "
            f"Here the output at “bank” is {two(answer)}: "
            f"{'the river' if answer > 0 else 'the money'}'s bank, "
            f"{'right' if seen.right[self.sentence] else 'wrong'}."
        )
        picture = reading_lines(
            seen.rows[self.sentence],
            words=words,
            query=int(bank.at[self.sentence]) + 1,
            values=values,
            title=f"Head {self.seed}, step {self.step}",
        )
        return sentence, picture.html

"""A trained model on the workbench: take cells away, and see what it costs and where it leads.

bench = workbench(seed=0)
seen = bench.run(tokens)                         # logits, state, weights and delivered, clean
effect = bench.remove(tokens, [Cell(1, 2, 3, 2)], "zero")
effect.lost, effect.accuracy, effect.present     # lead lost in each text; two shares
bench.distance(effect.state), bench.limit        # distance to normal; 99 % of normal is below

It remembers the last of these. Below it stand the measurements that take many removals.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, TypeVar

import torch

from attn_lab.core.threads import one_thread
from attn_lab.models.interventions import Cell, How, Run, head_cells, run
from attn_lab.models.memory import Memory, contents
from attn_lab.models.sentence_model import SEEDS, AttentionOnly, load
from attn_lab.models.sentence_texts import LENGTHS, accuracy, lead, share_present, texts

NORMAL = 4_000
BATCH = 500  # at a time: what 4,000 sequences deliver would fill 200 MB
REMEMBERED = 40 << 20  # bytes in each workbench: a run of 500 texts takes 7 MB, an effect 0.1
T = LENGTHS["asked"]
_HEADS = (1, 2)
_NOUNS = (3, 7, 11)  # their places; each adjective stands one before

Measured = TypeVar("Measured")


class Effect(NamedTuple):
    """What a removal did to each text [B], and to all of them together."""

    lost: torch.Tensor
    lead: torch.Tensor
    accuracy: float
    present: float
    state: torch.Tensor


@dataclass(frozen=True, eq=False)
class Workbench:
    """One trained model, 4,000 normal states of it, and what its cells deliver normally."""

    seed: int
    model: AttentionOnly
    states: torch.Tensor  # [4000, 32]
    mean: tuple[torch.Tensor, ...]  # per layer [1, 2, 14, 14, 16]
    donors: torch.Tensor  # [500, 14] the texts that "swap" takes from, in this order
    donated: tuple[torch.Tensor, ...]  # per layer [500, 2, 14, 14, 16], what their cells deliver
    limit: float  # 99 % of normal states lie nearer than this to another normal state
    memory: Memory = field(default_factory=lambda: Memory(REMEMBERED), init=False, repr=False)

    def run(self, tokens: torch.Tensor) -> Run:
        """What the untouched model computes.

        Shapes: tokens [B, 14]
        """
        return self.memory.recall(self._key("run", tokens), lambda: run(self.model, tokens))

    def without(self, tokens: torch.Tensor, cells: Iterable[Cell], how: How = "zero") -> Run:
        """What the model computes with `cells` taken away from it.

        Shapes: tokens [B, 14]
        """
        instead = {"mean": self.mean, "swap": self.donated}.get(how)
        return run(self.model, tokens, cells, how, instead)

    @one_thread()
    def remove(self, tokens: torch.Tensor, cells: Iterable[Cell], how: How = "zero") -> Effect:
        """What taking `cells` away from the model does to these texts.

        Shapes: tokens [B, 14]

        >>> bench = workbench(seed=0)
        >>> effect = bench.remove(texts("asked", 100, seed=1), [Cell(1, 1, 1, 1)], "swap")
        >>> effect.accuracy
        1.0
        """
        taken = [*cells]

        def effect() -> Effect:
            changed = self.without(tokens, taken, how)
            after = lead(changed.logits, tokens)
            return Effect(
                lost=lead(self.run(tokens).logits, tokens) - after,
                lead=after,
                accuracy=accuracy(changed.logits, tokens),
                present=share_present(changed.logits, tokens),
                state=changed.state,
            )

        key = self._key("remove", tokens, frozenset(map(tuple, taken)), how)
        return self.memory.recall(key, effect)

    def distance(self, states: torch.Tensor) -> torch.Tensor:
        """How far each state lies from the nearest of the 4,000 normal ones.

        Shapes: states [B, 32] -> [B]
        """
        key = self._key("distance", states)
        return self.memory.recall(key, lambda: distance(states, self.states))

    def far(self, states: torch.Tensor) -> float:
        """The share of states that lie further out than 99 % of normal ones.

        Shapes: states [B, 32]
        """
        return (self.distance(states) > self.limit).double().mean().item()

    def links(self) -> list[Cell]:
        """The three layer-1 cells in which a noun reads the adjective before it.

        Both heads have such cells; these are of the head whose three are brighter on average.
        """
        weights = self.run(self.donors).weights[0].mean(0)  # [2, 14, 14]
        nouns = torch.tensor(_NOUNS) - 1
        head = int(weights[:, nouns, nouns - 1].mean(-1).argmax()) + 1
        return [Cell(1, head, noun, noun - 1) for noun in _NOUNS]

    def _key(self, asked: str, x: torch.Tensor, *more: object) -> object:
        """What a result hangs on: these numbers, and the model's own, which may be changed."""
        return asked, contents([x, *self.model.parameters()]), *more


@cache
@one_thread()
def workbench(seed: int = 0) -> Workbench:
    """The workbench of the two-layer model trained with `seed`; made once, then kept."""
    model = load("asked", seed)
    states, delivered = [], [torch.zeros(1) for _ in range(len(model.layers))]
    for tokens in texts("asked", NORMAL, seed=100).split(BATCH):
        clean = run(model, tokens)
        states.append(clean.state)
        for layer, gave in enumerate(clean.delivered):
            delivered[layer] = delivered[layer] + gave.sum(0, keepdim=True) / NORMAL
    normal = torch.cat(states)
    apart = torch.cdist(normal, normal).fill_diagonal_(torch.inf).min(-1).values
    donors = texts("asked", BATCH, seed=101)
    return Workbench(
        seed=seed,
        model=model,
        states=normal,
        mean=tuple(delivered),
        donors=donors,
        donated=tuple(run(model, donors).delivered),
        limit=apart.quantile(0.99).item(),
    )


@one_thread()
def distance(states: torch.Tensor, normal: torch.Tensor) -> torch.Tensor:
    """How far each state lies from the nearest normal one.

    Shapes: states [B, 32], normal [N, 32] -> [B]

    >>> distance(torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 0.0], [100.0, 0.0]]))
    tensor([5.])
    """
    return torch.cdist(states, normal, compute_mode="donot_use_mm_for_euclid_dist").min(-1).values


def in_every_model(measure: Callable[[Workbench], Measured]) -> dict[str, Measured]:
    """What `measure` gives for each of the three models, by the model's name.

    >>> in_every_model(lambda bench: bench.links()[0].head)
    {'model 0': 2, 'model 1': 1, 'model 2': 2}
    """
    return {f"model {seed}": measure(workbench(seed)) for seed in SEEDS}


def last_row_effects(
    bench: Workbench, tokens: torch.Tensor, how: How = "zero"
) -> tuple[torch.Tensor, torch.Tensor]:
    """Weight and lead lost of every cell of the last layer's last row, removed alone.

    Shapes: tokens [B, 14] -> [B, 28], [B, 28]
    """
    lost = [bench.remove(tokens, [cell], how).lost for cell in _last_row()]
    return bench.run(tokens).weights[1][:, :, -1].flatten(1), torch.stack(lost, dim=-1)


def without_brightest(bench: Workbench, tokens: torch.Tensor, head: int) -> list[float]:
    """What the brightest cell of the last layer's last row is worth, in one head.

    The mean of its weight, the mean lead lost when it is zeroed in each text, and how many of 100
    answers are then right.
    Shapes: tokens [B, 14]
    """
    bright, key = bench.run(tokens).weights[1][:, head - 1, -1].max(dim=-1)
    lost = torch.cat(
        [
            bench.remove(tokens[key == each], [Cell(2, head, T, int(each) + 1)], "zero").lost
            for each in key.unique()
        ]
    )
    order = torch.cat([(key == each).nonzero()[:, 0] for each in key.unique()])
    clean = lead(bench.run(tokens).logits, tokens)[order]
    return [bright.mean().item(), lost.mean().item(), 100 * (clean > lost).double().mean().item()]


def answers_turned(
    bench: Workbench, tokens: torch.Tensor, dimmer_than: float = 0.4
) -> tuple[int, int]:
    """How many right answers turn wrong when one cell is zeroed: dim cells, other cells.

    Tries every cell that can reach the answer: all of layer 1, and the last row of layer 2.
    Shapes: tokens [B, 14]
    """
    clean, dim, other = bench.run(tokens), 0, 0
    for cell in [*(cell for head in _HEADS for cell in head_cells(1, head, T)), *_last_row()]:
        turned = bench.remove(tokens, [cell], "zero").lead <= 0
        is_dim = clean.weight_of(cell) < dimmer_than
        dim += int((turned & is_dim).sum())
        other += int((turned & ~is_dim).sum())
    return dim, other


def _last_row() -> list[Cell]:
    return [Cell(2, head, T, key) for head in _HEADS for key in range(1, T + 1)]

"""What the three links of a model's layer 1 are worth, each to its own question and to the others.

A link is the cell in which a noun reads the adjective before it; `Workbench.links()` finds the
three.
"""

from typing import Literal, NamedTuple

import torch

from attn_lab.models.interventions import How, run
from attn_lab.models.sentence_texts import (
    THINGS,
    accuracy,
    ask_about,
    exchange_adjectives,
    lead,
    named_thing,
    share_present,
    verbs,
)
from attn_lab.models.workbench import Effect, Workbench


class Exchange(NamedTuple):
    """What an exchange of links did, and the share of answers that are the other thing's verb."""

    effect: Effect
    other: float


def losses_by_question(bench: Workbench, tokens: torch.Tensor, how: How = "zero") -> torch.Tensor:
    """The mean lead lost: one row for each link removed, one column for each thing asked about.

    Shapes: tokens [B, 14] -> [3, 3]
    """
    asked = torch.cat([ask_about(tokens, thing) for thing in THINGS])  # B texts for each thing
    lost = [bench.remove(asked, [link], how).lost for link in bench.links()]
    return torch.stack(lost).unflatten(-1, (len(THINGS), -1)).mean(-1)


def without_asked_link(bench: Workbench, tokens: torch.Tensor, how: How) -> Effect:
    """The effect of removing from each text the link of the thing that it asks about.

    The texts come back sorted by the thing that they ask about.
    """
    parts = []
    for thing, mine in _by_thing(tokens):
        parts.append(bench.remove(mine, [bench.links()[thing - 1]], how))
    return _together(parts)


def exchanged(bench: Workbench, tokens: torch.Tensor, links: Literal["asked", "both"]) -> Exchange:
    """The links deliver what they deliver when two things' adjectives change places.

    The other thing is the next one, and after the third the first. With "asked" only the link of
    the thing asked about is exchanged, so that two nouns have the same adjective; with "both" the
    two change places as a whole.
    """
    parts, said = [], []
    cells = dict(zip(THINGS, bench.links(), strict=True))
    for thing, mine in _by_thing(tokens):
        other = thing % len(THINGS) + 1
        donors = run(bench.model, exchange_adjectives(mine, thing, other)).delivered
        chosen = [cells[thing]] if links == "asked" else [cells[thing], cells[other]]
        changed = run(bench.model, mine, chosen, "swap", donors)
        after = lead(changed.logits, mine)
        lost = lead(bench.run(mine).logits, mine) - after
        shares = accuracy(changed.logits, mine), share_present(changed.logits, mine)
        parts.append(Effect(lost, after, *shares, changed.state))
        said.append(changed.logits.argmax(-1) == verbs(mine)[:, other - 1])
    return Exchange(_together(parts), torch.cat(said).double().mean().item())


def _by_thing(tokens: torch.Tensor) -> list[tuple[int, torch.Tensor]]:
    """The texts that ask about each thing, for each thing that any asks about."""
    asked = named_thing(tokens)
    return [(thing, tokens[asked == thing]) for thing in THINGS if (asked == thing).any()]


def _together(parts: list[Effect]) -> Effect:
    """One effect of several groups of texts."""
    sizes = torch.tensor([len(part.lost) for part in parts], dtype=torch.float64)

    def overall(shares: list[float]) -> float:
        return float((torch.tensor(shares, dtype=torch.float64) * sizes).sum() / sizes.sum())

    return Effect(
        lost=torch.cat([part.lost for part in parts]),
        lead=torch.cat([part.lead for part in parts]),
        accuracy=overall([part.accuracy for part in parts]),
        present=overall([part.present for part in parts]),
        state=torch.cat([part.state for part in parts]),
    )

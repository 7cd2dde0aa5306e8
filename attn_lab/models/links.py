"""What the four links of a model's layer 1 are worth, each to its own question and to the others.

A link is the cell in which a value reads the key before it; `Workbench.links()` finds the four.
"""

import torch

from attn_lab.models.interventions import How
from attn_lab.models.recall_task import N_PAIRS, PAIRS, ask_about, asked_pair
from attn_lab.models.workbench import Effect, Workbench


def losses_by_question(bench: Workbench, tokens: torch.Tensor, how: How = "zero") -> torch.Tensor:
    """The mean lead lost: one row for each link removed, one column for each pair asked about.

    Shapes: tokens [B, 10] -> [4, 4]
    """
    asked = torch.cat([ask_about(tokens, pair) for pair in PAIRS])  # B sequences for each pair
    lost = [bench.remove(asked, [link], how).lost for link in bench.links()]
    return torch.stack(lost).unflatten(-1, (N_PAIRS, -1)).mean(-1)


def without_asked_link(bench: Workbench, tokens: torch.Tensor, how: How) -> Effect:
    """The effect of removing from each sequence the link of the pair that it asks about.

    The sequences come back sorted by the pair that they ask about.
    """
    parts = [
        bench.remove(tokens[asked_pair(tokens) == pair], [link], how)
        for pair, link in zip(PAIRS, bench.links(), strict=True)
    ]
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

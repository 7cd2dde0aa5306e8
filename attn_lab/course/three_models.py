"""The same measurement on each of the three trained models, and those that need many removals."""

from collections.abc import Callable
from typing import TypeVar

import torch

from attn_lab.course.interventions import Cell, How, head_cells
from attn_lab.course.model import N_HEADS, SEEDS
from attn_lab.course.recall_task import LENGTH
from attn_lab.course.workbench import Workbench, workbench

Measured = TypeVar("Measured")


def in_every_model(measure: Callable[[Workbench], Measured]) -> dict[str, Measured]:
    """Returns what `measure` gives for each model, by the model's name.

    >>> in_every_model(lambda bench: bench.links()[0].head)
    {'model 0': 1, 'model 1': 2, 'model 2': 1}
    """
    return {f"model {seed}": measure(workbench(seed)) for seed in SEEDS}


def last_row_effects(
    bench: Workbench, tokens: torch.Tensor, how: How = "zero"
) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns weight and lead lost of every cell of the last layer's last row, removed alone.

    Shapes: tokens [B, 10] -> [B, 20], [B, 20]
    """
    cells = [Cell(2, head, LENGTH, key) for head in _HEADS for key in range(1, LENGTH + 1)]
    lost = torch.stack([bench.remove(tokens, [cell], how).lost for cell in cells], dim=-1)
    return bench.run(tokens).weights[1][:, :, -1].flatten(1), lost


def answers_turned(
    bench: Workbench, tokens: torch.Tensor, dimmer_than: float = 0.4
) -> tuple[int, int]:
    """Returns how many right answers turn wrong when one cell is zeroed: dim ones, other ones.

    Tries every cell that can reach the answer: all of layer 1, and the last row of layer 2.
    Shapes: tokens [B, 10]
    """
    cells = [cell for head in _HEADS for cell in head_cells(1, head)]
    cells += [Cell(2, head, LENGTH, key) for head in _HEADS for key in range(1, LENGTH + 1)]
    clean, dim, other = bench.run(tokens), 0, 0
    for cell in cells:
        turned = bench.remove(tokens, [cell], "zero").lead <= 0
        is_dim = clean.weight_of(cell) < dimmer_than
        dim += int((turned & is_dim).sum())
        other += int((turned & ~is_dim).sum())
    return dim, other


_HEADS = range(1, N_HEADS + 1)

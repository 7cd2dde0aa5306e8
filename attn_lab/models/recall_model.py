"""The small trained model of notebooks 07 and 08: two attention layers and nothing else.

Two heads a layer, width 32, learned positions, no layer norm, no biases, 9,600 numbers in all.
It was trained by `python -m attn_lab.models.train` with three seeds fixed beforehand, 0, 1 and 2;
their weights lie in `weights/`, and `load(seed)` reads one of them in float64.
"""

from pathlib import Path

import numpy as np
import torch
from torch import nn

from attn_lab.core.attention import masked_softmax, scaled_scores
from attn_lab.core.heads import merge_heads, project, split_heads
from attn_lab.core.masks import causal_mask
from attn_lab.core.threads import one_thread
from attn_lab.models.recall_task import LENGTH, VOCABULARY

WIDTH = 32
N_HEADS = 2
N_LAYERS = 2
SEEDS = (0, 1, 2)  # the first three, fixed before anything was trained
WEIGHTS = Path(__file__).parent / "weights"


class Layer(nn.Module):
    """One attention layer: each head reads, the heads are merged, the result is added to x."""

    def __init__(self) -> None:
        super().__init__()
        self.w_q, self.w_k, self.w_v, self.w_o = (
            nn.Parameter(torch.randn(WIDTH, WIDTH) * WIDTH**-0.5) for _ in range(4)
        )

    def reading(
        self, x: torch.Tensor, allowed: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Each head's weights, and the values that they weigh.

        Shapes: x [B, T, 32] -> [B, 2, T, T], [B, 2, T, 16]
        """
        q, k, v = (
            split_heads(project(x, w), N_HEADS)  # [B, 2, T, 16]
            for w in (self.w_q, self.w_k, self.w_v)
        )
        if allowed is None:
            allowed = causal_mask(x.shape[-2], device=x.device)
        return masked_softmax(scaled_scores(q, k), allowed), v

    def write(self, x: torch.Tensor, read: torch.Tensor) -> torch.Tensor:
        """x with what the heads read added to it.

        Shapes: x [B, T, 32], read [B, 2, T, 16] -> [B, T, 32]
        """
        return x + project(merge_heads(read), self.w_o)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        weights, v = self.reading(x)
        return self.write(x, weights @ v), weights


class RecallModel(nn.Module):
    """The attention-only transformer that learned the recall task.

    Shapes: tokens [B, 10] -> logits [B, 17] of the answer, weights: per layer [B, 2, 10, 10]
    """

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Parameter(torch.randn(VOCABULARY, WIDTH) * 0.5)
        self.positions = nn.Parameter(torch.randn(LENGTH, WIDTH) * 0.5)
        self.first, self.second = Layer(), Layer()
        self.answer = nn.Parameter(torch.randn(WIDTH, VOCABULARY) * WIDTH**-0.5)

    @property
    def layers(self) -> tuple[Layer, Layer]:
        """Both layers, in the order in which they run."""
        return self.first, self.second

    def embed(self, tokens: torch.Tensor) -> torch.Tensor:
        """What each position starts with: its token plus its position.

        Shapes: tokens [B, T] -> [B, T, 32]
        """
        return self.tokens[tokens] + self.positions[: tokens.shape[-1]]

    def read_out(self, stream: torch.Tensor) -> torch.Tensor:
        """The logits that the last position's state stands for.

        Shapes: stream [B, T, 32] -> [B, 17]
        """
        return project(stream[:, -1:], self.answer)[:, 0]

    @one_thread()
    def forward(self, tokens: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        stream = self.embed(tokens)
        weights = []
        for layer in self.layers:
            stream, seen = layer(stream)
            weights.append(seen)
        return self.read_out(stream), weights


def save(model: RecallModel, path: Path) -> None:
    """Write the model's numbers as plain float32 arrays."""
    arrays = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    np.savez(path, allow_pickle=False, **arrays)


def load(seed: int = 0, folder: Path = WEIGHTS) -> RecallModel:
    """The model trained with `seed`, in float64 and without gradients.

    Raises: ValueError when no model was trained with that seed.

    >>> sum(p.numel() for p in load(0).parameters())
    9600
    """
    if seed not in SEEDS:
        raise ValueError(f"seed: expected one of {SEEDS}, got {seed!r}; only these were trained.")
    model = RecallModel()
    with np.load(folder / f"recall_seed{seed}.npz", allow_pickle=False) as arrays:
        model.load_state_dict({name: torch.from_numpy(arrays[name]) for name in arrays.files})
    return model.double().eval().requires_grad_(False)

"""The small trained models of notebooks 07 and 08: attention layers and nothing else.

Width 32, learned places, no layer norm, no biases. `python -m attn_lab.models.train` trained them
with three seeds fixed beforehand, 0, 1 and 2; their weights lie in `weights/`, and
`load(name, seed)` reads one of them in float64.
"""

from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np
import torch
from torch import nn

from attn_lab.core.attention import masked_softmax, scaled_scores
from attn_lab.core.heads import merge_heads, project, split_heads
from attn_lab.core.masks import causal_mask
from attn_lab.core.threads import one_thread
from attn_lab.models.sentence_texts import LENGTHS, WORDS, Kind

WIDTH = 32
SEEDS = (0, 1, 2)  # the first three, fixed before anything was trained
WEIGHTS = Path(__file__).parent / "weights"
Name = Literal["subject", "asked_one_layer", "asked"]
NAMES: tuple[Name, ...] = get_args(Name)


class Build(NamedTuple):
    """What tells one of the models from another."""

    kind: Kind  # of the texts that it reads
    n_layers: int
    n_heads: int
    steps: int  # of its training


BUILDS: dict[Name, Build] = {
    "subject": Build("subject", n_layers=1, n_heads=1, steps=200),
    "asked_one_layer": Build("asked", n_layers=1, n_heads=2, steps=400),
    "asked": Build("asked", n_layers=2, n_heads=2, steps=400),
}


class AttentionOnly(nn.Module):
    """A transformer of attention layers alone, which says a text's next word.

    Shapes: tokens [B, T] -> logits [B, 56] of the next word, weights: per layer [B, n_heads, T, T]
    """

    def __init__(self, build: Build) -> None:
        super().__init__()
        self.n_heads = build.n_heads
        self.words = nn.Parameter(torch.randn(len(WORDS), WIDTH) * 0.5)
        self.places = nn.Parameter(torch.randn(LENGTHS[build.kind], WIDTH) * 0.5)
        # W_Q, W_K, W_V and W_O of each layer, one behind the other: [4, 32, 32]
        self.layers = nn.ParameterList(
            torch.randn(4, WIDTH, WIDTH) * WIDTH**-0.5 for _ in range(build.n_layers)
        )
        self.answer = nn.Parameter(torch.randn(WIDTH, len(WORDS)) * WIDTH**-0.5)

    @one_thread()
    def forward(self, tokens: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        T = tokens.shape[-1]
        x = self.words[tokens] + self.places[:T]  # one row of 32 numbers a place
        maps = []
        for w_q, w_k, w_v, w_o in self.layers:
            q, k, v = (split_heads(project(x, w), self.n_heads) for w in (w_q, w_k, w_v))
            weights = masked_softmax(scaled_scores(q, k), causal_mask(T))
            x = x + project(merge_heads(weights @ v), w_o)  # what was there stays
            maps.append(weights)
        return project(x[:, -1], self.answer), maps


def save(model: AttentionOnly, path: Path) -> None:
    """Write the model's numbers as plain float32 arrays."""
    arrays = {name: value.detach().numpy() for name, value in model.state_dict().items()}
    np.savez(path, allow_pickle=False, **arrays)


def load(name: Name = "asked", seed: int = 0, folder: Path = WEIGHTS) -> AttentionOnly:
    """The model of that name trained with `seed`, in float64 and without gradients.

    Raises: ValueError when there is no such model.

    >>> sum(p.numel() for p in load("asked", seed=0).parameters())
    12224
    """
    if name not in NAMES:
        raise ValueError(f"name: expected one of {', '.join(NAMES)}, got {name!r}.")
    if seed not in SEEDS:
        raise ValueError(f"seed: expected one of {SEEDS}, got {seed!r}; only these were trained.")
    model = AttentionOnly(BUILDS[name])
    with np.load(folder / f"{name}_seed{seed}.npz", allow_pickle=False) as arrays:
        model.load_state_dict({each: torch.from_numpy(arrays[each]) for each in arrays.files})
    return model.double().eval().requires_grad_(False)

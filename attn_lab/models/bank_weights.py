"""Make and load the 20 bank heads that are shipped: `python -m attn_lab.models.bank_weights`.

Seeds 0 to 19, whatever they turn out to be. Training again gives the same counts everywhere, and
the same numbers up to their last digits; what must be equal to the digit comes from these files.
"""

from pathlib import Path

import numpy as np
import torch

from attn_lab.core.threads import one_thread
from attn_lab.models.bank_findings import look
from attn_lab.models.bank_head import Head, new_head, train
from attn_lab.models.bank_sentences import Sentences, ordered_sentences, sentences

SEEDS = range(20)
STEPS = (0, 10, 20, 30, 50, 100)  # what is kept of a head's learning
FILE = Path(__file__).parent / "weights" / "bank_heads.npz"
NAMES = ("words", "w_q", "w_k", "w_v", "places")


def load_head(seed: int, step: int = 100) -> Head:
    """The head that began with `seed`, as it was after so many steps.

    Raises: ValueError for a head or a step that was not kept.

    >>> load_head(seed=16)[1].shape
    torch.Size([8, 2])
    """
    if step not in STEPS:
        raise ValueError(f"step: expected one of {STEPS}, got {step!r}; only these were kept.")
    return _load("learning", seed, STEPS.index(step))


def load_ordered_head(seed: int, *, positions: bool) -> Head:
    """The head that learned the sentences in which order decides, with or without positions.

    Raises: ValueError for a head that was not kept.
    """
    return _load("with_positions" if positions else "without_positions", seed)


def load_counts() -> dict[str, torch.Tensor]:
    """What each head got right after every step, and how much "bank" read the context word.

    Shapes: "right" [20, 101] of 56, "held_out" [20, 101] of 14, "context" [20, 101] mean weight
    """
    with np.load(FILE, allow_pickle=False) as arrays:
        return {name: torch.from_numpy(arrays[name]) for name in ("right", "held_out", "context")}


@one_thread()
def learn(head: Head, material: Sentences, steps: int, rate: float = 3.0) -> list[Head]:
    """Train a head on what is not held out, and give a copy of it after every step from 0 on."""
    copies = [[numbers.detach().clone() for numbers in head]]
    for _ in range(steps):
        train(head, material.take(~material.held_out), 1, rate=rate)
        copies.append([numbers.detach().clone() for numbers in head])
    return copies


def make() -> dict[str, np.ndarray]:
    """All arrays of the file, trained anew (15 seconds)."""
    arrays: dict[str, np.ndarray] = {}
    plain, ordered = sentences(), ordered_sentences()
    learned = [learn(new_head(seed), plain, STEPS[-1]) for seed in SEEDS]
    arrays |= _stacked("learning", [[copies[step] for step in STEPS] for copies in learned])
    seen = [[look(head, plain) for head in copies] for copies in learned]
    arrays["right"] = np.array([[int(s.right.sum()) for s in row] for row in seen])
    held_out = [[int(s.right[plain.held_out].sum()) for s in row] for row in seen]
    arrays["held_out"] = np.array(held_out)
    arrays["context"] = np.array([[float(s.context.mean()) for s in row] for row in seen])
    for name, n_places in (("without_positions", 0), ("with_positions", 8)):
        heads = [learn(new_head(seed, n_places), ordered, 300, rate=1.0)[-1:] for seed in SEEDS]
        arrays |= _stacked(name, heads)
    return arrays


def _stacked(name: str, heads: list[list[Head]]) -> dict[str, np.ndarray]:
    """One array for each table of the heads: [seed, step, ...]."""
    tables = zip(*[zip(*copies, strict=True) for copies in heads], strict=True)
    return {
        f"{name}/{part}": np.stack([torch.stack(copies).numpy() for copies in table])
        for part, table in zip(NAMES, tables, strict=False)
    }


def _load(name: str, seed: int, step: int = 0) -> Head:
    if seed not in SEEDS:
        raise ValueError(f"seed: expected 0 to {SEEDS[-1]}, got {seed!r}; only these are shipped.")
    with np.load(FILE, allow_pickle=False) as arrays:
        parts = [f"{name}/{part}" for part in NAMES if f"{name}/{part}" in arrays.files]
        return [torch.from_numpy(arrays[part][seed, step]) for part in parts]


if __name__ == "__main__":
    np.savez_compressed(FILE, allow_pickle=False, **make())

"""Train the small recall models: `python -m attn_lab.models.train` (minutes on two cores).

The rule, written down before the first run: seeds 0, 1 and 2, the same settings for each, all
three shipped whatever they turn out to be. Only sequences that are not held out are seen.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

from attn_lab.core.threads import one_thread
from attn_lab.models.recall_model import SEEDS, WEIGHTS, RecallModel, load, save
from attn_lab.models.recall_task import accuracy, answers, draw, is_held_out, sequences

STEPS = 2000
BATCH = 256
RATE = 3e-3


@one_thread()
def train(seed: int, *, steps: int = STEPS, say: Callable[[int, float], None]) -> RecallModel:
    """Train one model from its seed on, and call `say(step, loss)` after every step."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = RecallModel()
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps)
    for step in range(1, steps + 1):
        tokens = draw(BATCH * 5 // 4, generator)
        tokens = tokens[~is_held_out(tokens)]
        logits, _ = model(tokens)
        loss = torch.nn.functional.cross_entropy(logits, answers(tokens))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        say(step, loss.item())
    return model


def progress(seed: int, steps: int) -> Callable[[int, float], None]:
    """A `say` that draws one bar on the terminal."""
    began = time.monotonic()

    def say(step: int, loss: float) -> None:
        if step % 20 and step != steps:
            return
        done = "#" * (30 * step // steps)
        left = (time.monotonic() - began) / step * (steps - step)
        end = "\n" if step == steps else ""
        bar = f"seed {seed} [{done:<30}] {step}/{steps}, loss {loss:.4f}, {left:.0f} s left "
        print(f"\r{bar}", end=end, file=sys.stderr, flush=True)

    return say


def main(folder: Path = WEIGHTS) -> None:
    """Train every seed, write the weights and print the accuracy on held-out sequences."""
    folder.mkdir(exist_ok=True)
    for seed in SEEDS:
        save(train(seed, say=progress(seed, STEPS)), folder / f"recall_seed{seed}.npz")
        held_out = sequences(10_000, seed=2026)
        right = accuracy(load(seed, folder)(held_out)[0], held_out)
        print(f"seed {seed}: {right:.4f} of 10,000 held-out sequences answered right")


if __name__ == "__main__":
    main()

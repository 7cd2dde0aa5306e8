"""Train the small models: `python -m attn_lab.models.train` (about two minutes on one core).

The rule, written down before the first run: seeds 0, 1 and 2, the same settings for each, all
three shipped whatever they turn out to be. Only texts that are not held out are seen.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

from attn_lab.core.threads import one_thread
from attn_lab.models.sentence_model import (
    BUILDS,
    NAMES,
    SEEDS,
    WEIGHTS,
    AttentionOnly,
    Name,
    load,
    save,
)
from attn_lab.models.sentence_texts import accuracy, answers, draw, is_held_out, texts

BATCH = 192  # texts drawn a step; one in five is held out and left aside
RATE = 0.01
WARM_UP = 50  # steps in which the rate rises; then it falls along a line to 0


@one_thread()
def train(
    name: Name, seed: int, *, say: Callable[[int, float], object] = lambda step, loss: None
) -> AttentionOnly:
    """Train one model from its seed on, and call `say(step, loss)` after every step."""
    build = BUILDS[name]
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = AttentionOnly(build)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01)
    for step in range(1, build.steps + 1):
        rate = RATE * min(step / WARM_UP, (build.steps - step + 1) / (build.steps - WARM_UP), 1)
        optimiser.param_groups[0]["lr"] = rate
        tokens = draw(build.kind, BATCH, generator)
        tokens = tokens[~is_held_out(tokens)]
        logits, _ = model(tokens)
        loss = torch.nn.functional.cross_entropy(logits, answers(tokens))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        say(step, loss.item())
    return model


def progress(named: str, steps: int) -> Callable[[int, float], None]:
    """A `say` that draws one bar on the terminal."""
    began = time.monotonic()

    def say(step: int, loss: float) -> None:
        if step % 20 and step != steps:
            return
        done = "#" * (30 * step // steps)
        left = (time.monotonic() - began) / step * (steps - step)
        end = "\n" if step == steps else ""
        bar = f"{named} [{done:<30}] {step}/{steps}, loss {loss:.4f}, {left:.0f} s left "
        print(f"\r{bar}", end=end, file=sys.stderr, flush=True)

    return say


def main(folder: Path = WEIGHTS) -> None:
    """Train every model with every seed, write the weights, and print the held-out accuracy."""
    folder.mkdir(exist_ok=True)
    for name in NAMES:
        held_out = texts(BUILDS[name].kind, 10_000, seed=2026)
        for seed in SEEDS:
            named = f"{name}, seed {seed}"
            model = train(name, seed, say=progress(named, BUILDS[name].steps))
            save(model, folder / f"{name}_seed{seed}.npz")
            right = accuracy(load(name, seed, folder)(held_out)[0], held_out)
            print(f"{named}: {right:.4f} of 10,000 held-out texts answered right")


if __name__ == "__main__":
    main()

"""Times, measured side by side."""

import random
import statistics
import time
from collections.abc import Callable, Mapping

import torch
from rivals import Inputs


def wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def medians(
    runs: Mapping[str, Callable[[Inputs], object]], x: Inputs, repeats: int, device: torch.device
) -> dict[str, float]:
    """The median seconds of each run; they take turns, so that a slow moment meets all of them.

    The order changes from turn to turn, because a run finds in the cache what the last one left.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    turns, order = list(runs.items()), random.Random(0)
    for repeat in range(repeats + 1):
        order.shuffle(turns)
        for name, run in turns:
            wait(device)
            start = time.perf_counter()
            kept = run(x)
            wait(device)
            took = time.perf_counter() - start
            del kept
            if repeat:  # the first one warms up
                seconds[name].append(took)
    return {name: statistics.median(each) for name, each in seconds.items()}

"""What the core's tests share: an oracle in NumPy float64, and hypothesis made repeatable."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile("repeatable")

Oracle = Callable[..., tuple[np.ndarray, np.ndarray]]


@pytest.fixture(scope="session")
def numpy_attention() -> Oracle:
    """Attention as a plain loop over rows and keys: (output, weights) in float64."""

    def attend(q, k, v, allowed=None, scale=None, temperature=1.0):
        q, k, v = (np.asarray(x, dtype=np.float64) for x in (q, k, v))
        scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
        rows = (*q.shape[:-1], k.shape[-2])
        open_ = np.broadcast_to(True if allowed is None else np.asarray(allowed), rows)
        weights = np.zeros(rows)
        for row in np.ndindex(rows[:-1]):
            keys = [j for j in range(rows[-1]) if open_[(*row, j)]]
            scores = [math.fsum(q[row] * k[(*row[:-1], j)]) * scale for j in keys]
            parts = [math.exp((s - max(scores)) / temperature) for s in scores]
            for j, part in zip(keys, parts, strict=True):
                weights[(*row, j)] = part / math.fsum(parts)
        return weights @ v, weights

    return attend

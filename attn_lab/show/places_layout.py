"""A map of places as a value, and where its points lie on paper."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PlacesMap:
    """Places (one for each key), rows of weights over them, and where each row meets."""

    points: np.ndarray
    weights: np.ndarray
    legal: np.ndarray
    meets: np.ndarray
    labels: list[str]
    queries: list[str]
    axes: tuple[str, str]
    title: str | None

    @property
    def single(self) -> bool:
        return len(self.weights) == 1

    def open_places(self) -> np.ndarray:
        """Return which places any of the rows may read."""
        return np.asarray(self.legal.any(axis=0))

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower left and upper right of the map, from the places alone.

        Weights do not move them, so nothing on the paper shifts as a slider moves.
        """
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        span = max(float((high - low).max()), 1e-9)
        return low - 0.12 * span, high + 0.12 * span


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Return round numbers from low to high, at most `most` of them.

    >>> ticks(-4.8, 44.8)
    [0.0, 10.0, 20.0, 30.0, 40.0]
    """
    rough = (high - low) / most
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    first = np.ceil(low / step)
    last = np.floor(high / step)
    return [float(step * i) + 0.0 for i in np.arange(first, last + 1)]

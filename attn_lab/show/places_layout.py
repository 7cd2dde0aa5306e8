"""A map of places as a value, and where its points lie on paper."""

from dataclasses import dataclass

import numpy as np

from attn_lab.show.drawable import LARGEST


@dataclass(frozen=True)
class PlacesMap:
    """Places (one for each key), rows of weights over them, and where each row meets.

    Weights are 0 where a row may not read. A place that nobody may read can be nan: then it is
    listed and not drawn.
    """

    points: np.ndarray
    weights: np.ndarray
    allowed: np.ndarray
    meets: np.ndarray
    labels: list[str]
    queries: list[str]
    axes: tuple[str, str]
    title: str | None

    @property
    def single(self) -> bool:
        return len(self.weights) == 1

    def reads(self, row: int) -> bool:
        """Return whether a row reads anything, so that there is a point where it meets."""
        return bool(self.weights[row].any())

    def drawn(self) -> list[int]:
        """Return the places that lie on paper."""
        return [int(j) for j in np.flatnonzero((np.abs(self.points) < LARGEST).all(axis=1))]

    def is_above(self, place: int) -> bool:
        """Return whether a place lies in the upper half, by the mean of all that are drawn."""
        return bool(self.points[place][1] >= self.points[self.drawn(), 1].mean())

    def open_places(self) -> np.ndarray:
        """Return which places any of the rows may read."""
        return np.asarray(self.allowed.any(axis=0))

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower left and upper right of the map, from the places alone.

        Weights do not move them, so nothing on the paper shifts as a slider moves.
        """
        drawn = self.points[self.drawn()]
        low, high = drawn.min(axis=0), drawn.max(axis=0)
        # Places that coincide get a little room, more than a float of their size rounds away.
        span = max(float((high - low).max()), 1e-9, float(np.abs(drawn).max()) * 1e-12)
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

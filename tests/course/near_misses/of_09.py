"""The near misses of notebook 09: counting and rescaling by the rule that gives them."""

from math import exp

SHORT, LONG, N_HEADS, WIDTH, BYTES = 1024, 4096, 8, 64, 4
MODEL = 512  # the width of the whole layer
GROWTH = LONG / SHORT
OLD, NEW = [1, 3], [2, 5]  # the two tiles of scores


def multiplications(length, projections=4):
    """All of a layer: each projection width by width at each position, scores and mix by pairs."""
    return projections * length * MODEL * MODEL + 2 * length * length * MODEL


WORK = multiplications(LONG) / multiplications(SHORT)
PAIRS = multiplications(LONG, projections=0) / multiplications(SHORT, projections=0)


def exactly_16(cells=GROWTH**2, size=GROWTH**2, work=WORK, call=None):
    """Which of the four must grow by 16; None: it depends on more than the count."""
    return [[int(each == 16) for each in (cells, size, work, call)]]


RIGHT = {
    "09/map-growth": lambda: [GROWTH**2],
    "09/exactly-which": exactly_16,
    "09/new-token": lambda: [LONG + 1],
    "09/rescale": lambda: [max(OLD + NEW), exp(max(OLD) - max(OLD + NEW))],
    "09/megabytes": lambda: [N_HEADS * LONG**2 * BYTES / 1e6],
}
NEAR_MISSES = {
    "09/map-growth": {
        "linear": lambda: [GROWTH],
        "half is masked": lambda: [LONG**2 / 2 / SHORT**2],
        "cubed": lambda: [GROWTH**3],
    },
    "09/exactly-which": {
        "cells only": lambda: exactly_16(size=GROWTH**2 * BYTES),
        "the work as well": lambda: exactly_16(work=PAIRS),
        "the time as well": lambda: exactly_16(call=GROWTH**2),
        "all four": lambda: exactly_16(work=PAIRS, call=GROWTH**2),
    },
    "09/new-token": {
        "every row again": lambda: [(LONG + 1) ** 2],
        "not its own key": lambda: [LONG],
        "a row and a column": lambda: [(LONG + 1) + LONG],
        "one": lambda: [1],
    },
    "09/rescale": {
        "old parts left as they are": lambda: [max(OLD + NEW), 1],
        "factor the wrong way": lambda: [max(OLD + NEW), exp(max(OLD + NEW) - max(OLD))],
        "maximum of the first tile": lambda: [max(OLD), exp(max(OLD) - max(OLD))],
        "factor from the new tile": lambda: [max(OLD + NEW), exp(NEW[0] - max(OLD + NEW))],
    },
    "09/megabytes": {
        "one head": lambda: [LONG**2 * BYTES / 1e6],
        "one byte a number": lambda: [N_HEADS * LONG**2 / 1e6],
        "linear": lambda: [N_HEADS * LONG * WIDTH * BYTES / 1e6],
    },
}

"""The colours of a heatmap's figure, one pixel a cell."""

import numpy as np

from attn_lab.show.cells import Cell
from attn_lab.show.colours import ALARM, MAP_NAME
from attn_lab.show.heat_value import HeatMap

_STRIPES = ((0.93, 0.93, 0.93), (0.66, 0.66, 0.66))


def numbered_pixels(cells: list[list[Cell]]) -> np.ndarray:
    """The fills of a map whose cells carry numbers; signs are drawn over the white ones."""
    from matplotlib.colors import to_rgb

    return np.array([[to_rgb(cell.fill or "#ffffff") for cell in line] for line in cells])


def large_pixels(heat: HeatMap) -> np.ndarray:
    """One colour a cell. The blocked region is striped: a hatch for each of ten thousand
    cells would be megabytes."""
    import matplotlib as mpl
    from matplotlib.colors import to_rgb

    values, legal = heat.values, heat.allowed
    low, high = heat.scale.low / 2, heat.scale.high / 2  # halves, as in cells.Scale
    share = np.nan_to_num((values / 2 - low) / (high - low or 0.5), posinf=1.0, neginf=0.0)
    image = mpl.colormaps[MAP_NAME](share.clip(0.0, 1.0))[..., :3]
    image[np.isinf(values)] = 1.0
    i, j = np.indices(values.shape)
    stripe = (i + j) // max(1, len(values) // 32) % 2 == 0
    blocked = ~legal & ~(heat.weights & (values != 0))  # NaN != 0, so it stays visible below
    image[blocked & stripe], image[blocked & ~stripe] = _STRIPES
    image[np.isnan(values) & ~blocked] = to_rgb(ALARM)
    return image

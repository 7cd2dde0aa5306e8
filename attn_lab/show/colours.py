"""The one colour map (cividis, safe for colour-blind eyes) and ink that stays readable on it."""

from functools import cache

import matplotlib as mpl

MAP_NAME = "cividis"
BLACK, WHITE = "#000000", "#ffffff"
ALARM = "#b3261e"  # border of what is not a number; never the only sign
_STEPS = 256


def luminance(colour: str) -> float:
    """The relative luminance of "#rrggbb", 0 for black to 1 for white (WCAG 2)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 (equal) to 21 (black on white)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def ink(background: str) -> str:
    """Black or white, whichever reads better on the background."""
    return max(BLACK, WHITE, key=lambda colour: contrast(colour, background))


@cache
def _scale() -> list[tuple[str, str]]:
    """The map's fills, each with its ink, worked out once."""
    colours = mpl.colormaps[MAP_NAME](range(_STEPS), bytes=True)
    fills = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b, _ in colours]
    return [(fill, ink(fill)) for fill in fills]


def shade(share: float) -> tuple[str, str]:
    """The fill and the ink for a share of the scale, 0 (dark) to 1 (light).

    >>> shade(0.0), shade(1.0)
    (('#00224d', '#ffffff'), ('#fde737', '#000000'))
    """
    return _scale()[round(min(max(share, 0.0), 1.0) * (_STEPS - 1))]

"""Sliders and editors: change one thing, see what follows, read the result as text.

An explorer is a plain object. Its widgets are made only when it is displayed, so nothing of it
reaches the page before the prediction it would answer. Each states its result in words, offers
numbers as well as sliders, and shows its own errors.
"""

from attn_lab.explore.head_maps import heads
from attn_lab.explore.influence import influence
from attn_lab.explore.learning import learning
from attn_lab.explore.mask_and_temperature import mask_and_temperature
from attn_lab.explore.mask_editor import mask_editor
from attn_lab.explore.scores import scores
from attn_lab.explore.tile_steps import tiles
from attn_lab.explore.vectors import vectors

__all__ = [
    "heads",
    "influence",
    "learning",
    "mask_and_temperature",
    "mask_editor",
    "scores",
    "tiles",
    "vectors",
]

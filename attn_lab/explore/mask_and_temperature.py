"""Mask and temperature: what a slider can change in a row of weights, and what it cannot."""

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attn_lab.core.attention import masked_softmax, scaled_scores
from attn_lab.core.masks import causal_mask
from attn_lab.explore.explorer import (
    Explorer,
    beside,
    matrices,
    pressable,
    typed_number,
    under,
    unfolded,
)
from attn_lab.show import heatmap, row_steps
from attn_lab.show.place_drawing import places_svg
from attn_lab.show.place_map import places_of, places_sentence
from attn_lab.show.printed_numbers import row as numbers_of
from attn_lab.show.printed_numbers import two
from attn_lab.widgets.parts import Part, choice, entry, row, slider, tick

# Round numbers, nearly even on a log scale; any other number can be typed.
STEPS = (0.05, 0.07, 0.1, 0.14, 0.2, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0,
         10.0, 14.0, 20.0, 30.0, 50.0)  # fmt: skip
MARKS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 20.0, 50.0)  # written under the slider
_TRAIL = 40  # points of the path that the meeting point took


def mask_and_temperature(q: Any, k: Any, v: Any) -> "MaskAndTemperature":
    """An explorer of one attention: temperature, causal mask and the row to look at.

    Shapes: q [T, d_k], k [T, d_k], v [T, d_v]; with d_v = 2 the values are shown as places.
    Raises: ValueError when the shapes do not fit.

    >>> mask_and_temperature([[1, 0]], [[1, 0]], [[10, 0]])
    An explorer: run this cell in JupyterLab to move its controls.
    """
    return MaskAndTemperature(*matrices(q, k, v))


@dataclass(frozen=True)
class Setting:
    """What is chosen: the row (index from 0), the mask, the temperature."""

    row: int
    masked: bool = True
    temperature: float = 1.0

    def said(self) -> str:
        mask = "on" if self.masked else "off"
        return f"row {self.row + 1}, mask {mask}, τ = {self.temperature:g}"


class MaskAndTemperature(Explorer):
    """The explorer's state and its controls."""

    name = "temperature"

    def __init__(self, q: Tensor, k: Tensor, v: Tensor) -> None:
        super().__init__()
        self.q, self.k, self.v = q, k, v
        self.setting = Setting(row=len(q) - 1)
        self.been = (1.0, 1.0)  # the lowest and the highest temperature of this row and mask

    def controls(self) -> list[Part]:
        rows = [(f"query {i + 1}", i) for i in range(len(self.q))]
        names = [f"{step:g}" for step in STEPS]
        marks = [i for i, step in enumerate(STEPS) if step in MARKS]
        temperature = row(slider("slider", "temperature", names, marks), entry("typed", "τ ="))
        return [temperature, row(tick("mask", "causal mask"), choice("row", "row", rows))]

    def values(self) -> dict[str, Any]:
        setting = self.setting
        nearest = min(STEPS, key=lambda step: abs(step / setting.temperature - 1))
        return {
            "slider": STEPS.index(nearest),
            "typed": f"{setting.temperature:g}",
            "mask": setting.masked,
            "row": setting.row,
        }

    def moved(self, name: str, value: Any) -> None:
        if name == "slider":
            self.choose(replace(self.setting, temperature=STEPS[value]))
        elif name == "typed":
            self.choose(replace(self.setting, temperature=typed_number(value, "τ", above=0)))
        elif name == "mask":
            self.choose(replace(self.setting, masked=value))
        else:  # chosen by name, or pressed on the map
            self.choose(replace(self.setting, row=value if name == "row" else value[0]))

    def presets(self) -> dict[str, Any]:
        third, last = min(2, len(self.q) - 1), len(self.q) - 1
        settings = {
            Setting(third, True, 4.0): "does heat reach the blocked key?",
            Setting(third, True, 0.05): "which weight is 0.00, and not blocked?",
            Setting(0, True, 10.0): "can any temperature move this row?",
            Setting(last, False, 1.0): "what did the mask keep out?",
        }
        return {
            setting.said(): (why, partial(self.choose, setting))
            for setting, why in settings.items()
        }

    def choose(self, setting: Setting) -> None:
        """Take over a setting; another row or mask begins another trail."""
        stays = replace(setting, temperature=self.setting.temperature) == self.setting
        low, high = self.been if stays else (setting.temperature, setting.temperature)
        self.been = min(low, setting.temperature), max(high, setting.temperature)
        self.setting = setting

    def look(self) -> tuple[str, str]:
        return result(self.q, self.k, self.v, self.setting, self.been)


def result(
    q: Tensor, k: Tensor, v: Tensor, setting: Setting, been: tuple[float, float] = (1.0, 1.0)
) -> tuple[str, str]:
    """The sentence and the picture of a setting: a pure function of its arguments.

    `been` are the lowest and the highest temperature so far; the trail on the map lies between.
    """
    allowed = (
        causal_mask(len(q)) if setting.masked else torch.ones(len(q), len(k), dtype=torch.bool)
    )
    i, tau = setting.row, setting.temperature
    weights = masked_softmax(scaled_scores(q, k), allowed, temperature=tau)
    shown = numbers_of(weights[i], 2, allowed=allowed[i])
    sentence = f"{setting.said()[:1].upper()}{setting.said()[1:]}: weights {shown}"
    sentence += f", sum {two(weights[i].sum())}."
    steps = row_steps(q, k, v, row=i, allowed=allowed, temperature=tau, shift=True)
    names = [f"query {j + 1}" + (" ◂" if j == i else "") for j in range(len(q))]
    panels = [pressable("cell", heatmap(weights, allowed=allowed, queries=names).html)]
    if v.shape[1] == 2:
        picture = places_of(v, weights[i], allowed[i], None, None, ("km east", "km north"), None)
        where = places_sentence(picture)
        sentence += f" {where}"
        trail = _trail(q[i], k, allowed[i], been) @ v
        panels.append(places_svg(picture, f"Map of places. {where}", trail.numpy()))
    return sentence, under(beside(*panels), unfolded("Step by step", steps.html))


def _trail(q: Tensor, k: Tensor, allowed: Tensor, been: tuple[float, float]) -> Tensor:
    """One row's weights at temperatures from the lowest to the highest of `been` [n, T_k]."""
    low, high = (math.log10(each) for each in been)
    temperatures = torch.logspace(low, high, _TRAIL if high > low else 1, dtype=q.dtype)
    return masked_softmax(scaled_scores(q[None], k) / temperatures[:, None], allowed[None])

"""Mask and temperature: what a slider can change in a row of weights, and what it cannot."""

from dataclasses import dataclass, replace
from typing import Any

import ipywidgets as widgets
import torch
from torch import Tensor

from attn_lab.core.attention import masked_softmax, scaled_scores
from attn_lab.core.masks import causal_mask
from attn_lab.explore.explorer import Explorer, beside, matrices, typed_number, under
from attn_lab.show import heatmap, row_steps
from attn_lab.show.place_drawing import places_svg
from attn_lab.show.place_map import places_of, places_sentence
from attn_lab.show.printed_numbers import row as numbers_of
from attn_lab.show.printed_numbers import two
from attn_lab.widgets.named_controls import choice, entry, presets, tick, wrapped

# Round numbers, nearly even on a log scale; any other number can be typed.
STEPS = (0.05, 0.07, 0.1, 0.14, 0.2, 0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0,
         11.0, 16.0, 23.0, 32.0, 50.0)  # fmt: skip


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

    def controls(self) -> list[widgets.Widget]:
        self.slider = widgets.SelectionSlider(
            options=[(f"{step:g}", step) for step in STEPS],
            value=self.setting.temperature,
            description="temperature",
            readout=False,
            tooltip="",
            style={"description_width": "initial"},
            layout={"width": "22em", "max_width": "100%"},
        )
        self.entry = entry("τ =", f"{self.setting.temperature:g}", "7em").add_class("attn-value")
        self.mask = tick("causal mask", self.setting.masked)
        rows = [(f"query {i + 1}", i) for i in range(len(self.q))]
        self.picker = choice("row", rows, self.setting.row)
        self.slider.observe(self.watched(self.on_slider), "value")
        self.entry.observe(self.watched(self.on_entry), "value")
        self.mask.observe(self.watched(self.on_mask), "value")
        self.picker.observe(self.watched(self.on_row), "value")
        pair = wrapped(self.slider, self.entry).add_class("attn-pair")
        return [pair, wrapped(self.mask, self.picker), presets(self._presets(), self.watched)]

    def _presets(self) -> dict[str, Any]:
        third, last = min(2, len(self.q) - 1), len(self.q) - 1
        settings = [
            Setting(third, True, 4.0),
            Setting(third, True, 0.05),
            Setting(0, True, 16.0),
            Setting(last, False, 1.0),
        ]
        return {
            setting.said(): lambda setting=setting: self.choose(setting)
            for setting in dict.fromkeys(settings)
        }

    def on_slider(self, change: Any) -> None:
        self.choose(replace(self.setting, temperature=float(change["new"])))

    def on_entry(self, change: Any) -> None:
        value = typed_number(change["new"], "τ", above=0)
        self.choose(replace(self.setting, temperature=value))

    def on_mask(self, change: Any) -> None:
        self.choose(replace(self.setting, masked=bool(change["new"])))

    def on_row(self, change: Any) -> None:
        self.choose(replace(self.setting, row=int(change["new"])))

    def choose(self, setting: Setting) -> None:
        """Take over a setting, move every control to it and redraw once."""
        with self.moving():
            self.setting = setting
            self.slider.value = min(STEPS, key=lambda step: abs(step / setting.temperature - 1))
            self.entry.value = f"{setting.temperature:g}"
            self.mask.value = setting.masked
            self.picker.value = setting.row
            self.redraw()

    def look(self) -> tuple[str, str]:
        return result(self.q, self.k, self.v, self.setting)


def result(q: Tensor, k: Tensor, v: Tensor, setting: Setting) -> tuple[str, str]:
    """The sentence and the picture of a setting: a pure function of its arguments."""
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
    panels = [heatmap(weights, allowed=allowed, queries=names).html]
    if v.shape[1] == 2:
        picture = places_of(v, weights[i], allowed[i], None, None, ("km east", "km north"), None)
        where = places_sentence(picture)
        sentence += f" {where}"
        panels.append(places_svg(picture, f"Map of places. {where}"))
    return sentence, under(beside(*panels), steps.html)

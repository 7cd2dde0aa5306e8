"""Attention, exact and readable, and the pieces of its predict-then-run notebooks.

Names load on first use (PEP 562), so `import attn_lab` stays cheap and needs neither torch
nor matplotlib nor ipywidgets until a name asks for them.
"""

from importlib import import_module
from typing import Any

from attn_lab import earlier_names

_HOME = {
    "attention": "attn_lab.core.attention",
    "scaled_scores": "attn_lab.core.attention",
    "masked_softmax": "attn_lab.core.attention",
    "causal_mask": "attn_lab.core.masks",
    "padding_mask": "attn_lab.core.masks",
    "project": "attn_lab.core.heads",
    "split_heads": "attn_lab.core.heads",
    "merge_heads": "attn_lab.core.heads",
    "MultiHeadAttention": "attn_lab.core.multihead",
    "tiled_attention": "attn_lab.core.tiles",
    "device": "attn_lab.core.devices",
    "setup_check": "attn_lab.commands.setup_check",
}
_MODULES = {"masks": "attn_lab.core.masks"}
_SUBPACKAGES = (
    "core",
    "show",
    "widgets",
    "course",
    "models",
    "record",
    "predict",
    "explore",
    "grade",
)

__all__ = [*_HOME, *_MODULES]
__version__ = "0.1.0"

earlier_names.keep()


def __getattr__(name: str) -> Any:
    if name in _HOME:
        globals()[name] = found = getattr(import_module(_HOME[name]), name)  # asked for once
        return found
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _SUBPACKAGES:
        return import_module(f"attn_lab.{name}")
    raise AttributeError(f"module 'attn_lab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_SUBPACKAGES, "__version__"])

"""An input as a learner would type it, so that it can be tried by hand."""

from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor

MOST = 24  # numbers; more are not an input that anybody tries by hand


def shown(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give each argument's name and its value; a large tensor's is its shape.

    >>> import torch
    >>> dict(shown({"q": torch.tensor([[1.0, 0.5]]), "n_heads": 2}))
    {'q': '[[1, 0.5]]', 'n_heads': '2'}
    """
    for name, value in arguments.items():
        if isinstance(value, Tensor) and value.numel() > MOST:
            yield name, f"a tensor of shape {list(value.shape)}"
        else:
            yield name, _literal(value)


def _literal(value: Any) -> str:
    if isinstance(value, Tensor):
        return _literal(value.tolist())
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_literal, value))})"
    return f"{value + 0.0:.6g}" if isinstance(value, float) else str(value)

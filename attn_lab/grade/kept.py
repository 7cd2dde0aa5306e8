"""How many numbers a function keeps while it reads tile after tile, and whether they grow."""

import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from attn_lab.grade.sandbox import call

FEW, MANY = 8, 24  # tiles
ROW = ([1.0, 3.0], [2.0, 5.0], [-torch.inf, -torch.inf], [0.5, 4.0])  # whose kinds come again
VALUES = [[10.0, 0.0, 1.0], [0.0, 20.0, 1.0]]


class Made(TorchFunctionMode):
    """Knows the tensors that are alive of those made while it is on, wherever they are kept."""

    def __init__(self) -> None:
        super().__init__()
        self.tensors: list[weakref.ref[Tensor]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for each in result if isinstance(result, tuple | list) else (result,):
            if isinstance(each, Tensor):
                self.tensors.append(weakref.ref(each))
        return result

    def numbers(self) -> int:
        """How many numbers they hold."""
        self.tensors = [each for each in self.tensors if each() is not None]
        alive = {id(each): each for each in (ref() for ref in self.tensors) if each is not None}
        return sum(each.numel() for each in alive.values())


class Tiles(list):
    """Tiles that are made when asked for, and look then at what is kept of earlier ones."""

    def __init__(self, pairs: list[tuple[Tensor, Tensor]], look: Callable[[], None]) -> None:
        super().__init__(pairs)
        self.look = look

    def __iter__(self) -> Iterator[Any]:
        for number in range(len(self)):
            yield self[number]
        self.look()

    def __getitem__(self, at: Any) -> Any:
        self.look()
        found = super().__getitem__(at)
        if isinstance(at, slice):
            return Tiles(found, self.look)
        return tuple(each.clone() for each in found)

    def __deepcopy__(self, memo: Any) -> "Tiles":
        return self


def growth(function: Callable[..., Any]) -> str:
    """That what is kept grows with the number of tiles, or ""."""
    few, many = most_kept(function, FEW), most_kept(function, MANY)
    if many - few < MANY - FEW:  # not a number for each tile
        return ""
    return (
        f"The output is right. With {FEW} tiles up to {few} numbers are kept at a time, and with "
        f"{MANY} tiles up to {many}: what is kept grows with the number of tiles."
    )


def most_kept(function: Callable[..., Any], count: int) -> int:
    """The most numbers that are kept when the next of so many tiles is asked for."""
    most, made = 0, Made()

    def look() -> None:
        nonlocal most
        frame, kept = sys._getframe(1), 0
        while frame.f_back is not None and frame.f_code is not run.__code__:
            kept += sum(numbers_in(each) for each in list(frame.f_locals.values()))
            frame = frame.f_back
        most = max(most, kept + made.numbers())

    def run(tiles: Any) -> Any:
        with made:
            return function(tiles)

    scores = [torch.tensor(ROW[n % len(ROW)], dtype=torch.float64) for n in range(count)]
    values = torch.tensor(VALUES, dtype=torch.float64)
    call(run, {"tiles": Tiles([(each, values) for each in scores], look)})
    return most


def numbers_in(value: Any) -> int:
    """How many of Python's and NumPy's numbers a variable holds; tensors are known to `Made`."""
    if isinstance(value, bool | Tiles):
        return 0
    if isinstance(value, int | float | np.generic):
        return 1
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, dict):
        return sum(map(numbers_in, value.values()))
    if isinstance(value, list | tuple | set):
        return sum(map(numbers_in, value))
    return 0

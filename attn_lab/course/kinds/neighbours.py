"""Which of many rows of whole numbers lie beside a given one, without comparing it with each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Neighbours:
    """Things kept at rows of whole numbers, found from any row at most 1 away at every place.

    The rows are a tree, one number a level, so that a search follows only numbers that are there.
    """

    def __init__(self) -> None:
        self._root: dict[Any, Any] = {}

    def add(self, row: Sequence[int], thing: Any) -> None:
        """Keep a thing at a row."""
        node = self._root
        for number in row:
            node = node.setdefault(number, {})
        node.setdefault("here", []).append(thing)

    def near(self, row: Sequence[int]) -> list[Any]:
        """What is kept at this row and at those beside it.

        >>> kept = Neighbours()
        >>> kept.add([3, 7], "a"), kept.add([5, 7], "b")
        (None, None)
        >>> kept.near([4, 8]), kept.near([2, 9])
        (['a', 'b'], [])
        """
        nodes = [self._root]
        for number in row:
            beside = (number - 1, number, number + 1)
            nodes = [node[each] for node in nodes for each in beside if each in node]
        return [thing for node in nodes for thing in node.get("here", ())]

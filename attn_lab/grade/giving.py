"""How an input is given to a function: what by position, what by name, what not at all."""

import inspect
from collections.abc import Callable
from typing import Any

import torch

from attn_lab.grade.graders_entry import Case, Grader

Parameters = dict[str, inspect.Parameter] | None
BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def given(
    function: Callable[..., Any], case: Case, grader: Grader
) -> tuple[dict[str, Any], list[str]] | None:
    """Returns the arguments and the names of those given by name; None where one has no place.

    A function that takes no mask is graded without one, and so with a temperature.
    """
    takes, arguments = parameters(function), dict(case.arguments)
    must = [name for name in arguments if name not in grader.optional]
    if takes is not None and "allowed" in grader.optional and "allowed" not in arguments:
        place = _place("allowed", takes, len(must))
        if place and takes[place].default is inspect.Parameter.empty:
            q, k = arguments["q"], arguments["k"]
            shape = (*q.shape[:-1], k.shape[-2])
            arguments["allowed"] = torch.ones(shape, dtype=torch.bool)  # it has to have one
    keywords = []
    for name in [each for each in arguments if each in grader.optional]:
        place = name if takes is None else _place(name, takes, len(must))
        if not place:
            return None
        if takes is not None and place == name:
            keywords.append(name)
    return arguments, keywords


def parameters(function: Callable[..., Any]) -> Parameters:
    """Returns a function's parameters by name, or None where Python does not know them."""
    try:
        return dict(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None


def _place(name: str, takes: dict[str, inspect.Parameter], after: int) -> str:
    """The parameter that takes it: by its name, or for a mask the next one that may be one."""
    if name in takes:
        return name
    more = [each for each in takes.values() if each.kind in BY_POSITION][after:]
    if name != "allowed" or not more:
        return ""
    must = more[0].default is inspect.Parameter.empty
    return more[0].name if must or "mask" in more[0].name else ""

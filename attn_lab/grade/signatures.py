"""How an input is given to a learner's function: by position, by name, or not at all."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from attn_lab.grade.tasks.task_entry import Case, Grader

Takes = dict[str, inspect.Parameter]
Form = tuple[dict[str, Any], dict[str, str]]
BY_NAME, BY_PLACE = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_ONLY
ANY_MORE, ANY_NAME = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
NO_DEFAULT = inspect.Parameter.empty


class NoPlaceError(TypeError):
    """The function has no argument for something that the task asks for."""


def arguments_for(function: Callable[..., Any], case: Case, grader: Grader) -> Form | None:
    """The arguments in order, and the parameters of those that are given by name.

    None where the function does not take what it may leave out: a function that takes no mask
    is graded without one, and so with a temperature.
    Raises: NoPlaceError where it does not take what it must.
    """
    takes, arguments = parameters(function), dict(case.arguments)
    if takes is None:
        return arguments, {name: name for name in grader.optional if name in arguments}
    must = [name for name in arguments if name not in (*grader.optional, *grader.asked)]
    for name in (each for each in grader.optional if each not in arguments):
        place = _parameter_for(name, takes, len(must))
        if place and takes[place].default is NO_DEFAULT:
            arguments[name] = _without_effect(name, arguments)  # it has to have one
    named = {name: name for name in must if name in takes and takes[name].kind == BY_NAME}
    for name in [each for each in arguments if each not in must]:
        place = _parameter_for(name, takes, len(must))
        if place:
            named[name] = place
        elif name in grader.optional:
            return None
        elif not _takes_any(takes, ANY_MORE):  # it then comes last, by position
            named[name] = _by_any_name(name, takes)
    return _without_names(arguments, named, len(must), takes)


def parameters(function: Callable[..., Any]) -> Takes | None:
    """A function's parameters by name, or None where Python does not know them."""
    called = function.forward if isinstance(function, nn.Module) else function
    try:
        return dict(inspect.signature(called).parameters)
    except (TypeError, ValueError):
        return None


def _parameter_for(name: str, takes: Takes, after: int) -> str:
    """The parameter that takes it: by its name, or for a mask one that may be one."""
    if name in takes:
        return name
    if name != "allowed":
        return ""
    only_named = [each for each in takes.values() if each.kind == BY_NAME]
    in_order = [each for each in takes.values() if each.kind not in (BY_NAME, ANY_MORE, ANY_NAME)]
    for each in (*in_order[after : after + 1], *only_named):
        must = each.default is NO_DEFAULT and each.name != "temperature"
        if must or "mask" in each.name:
            return each.name
    return ""


def _without_effect(name: str, arguments: Mapping[str, Any]) -> Any:
    """A mask that allows everything, a temperature of 1."""
    if name == "temperature":
        return 1.0
    q, k = arguments["q"], arguments["k"]
    return torch.ones((*q.shape[:-1], k.shape[-2]), dtype=torch.bool)


def _takes_any(takes: Takes, kind: Any) -> bool:
    return any(each.kind == kind for each in takes.values())


def _by_any_name(name: str, takes: Takes) -> str:
    if not _takes_any(takes, ANY_NAME):
        raise NoPlaceError(name)
    return name


def _without_names(
    arguments: dict[str, Any], named: dict[str, str], after: int, takes: Takes
) -> Form:
    """The same where a parameter has no name to the outside: all up to it go by position."""
    ours = {place: name for name, place in named.items()}
    every = list(takes.values())
    last = max(
        (n for n, each in enumerate(every) if each.kind == BY_PLACE and each.name in ours),
        default=-1,
    )
    between = every[after : last + 1]  # one that is not ours keeps its default
    placed = {ours.get(each.name, each.name): each.default for each in between}
    first = {name: value for name, value in arguments.items() if name not in placed}
    in_order = first | {name: arguments.get(name, default) for name, default in placed.items()}
    return in_order, {name: place for name, place in named.items() if name not in placed}

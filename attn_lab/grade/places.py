"""Where in a learner's code an error came from."""

import inspect
import linecache
from collections.abc import Callable
from functools import partial
from typing import Any


def place(function: Callable[..., Any], error: BaseException) -> str:
    """The last line of the file or cell that holds the function, as it is written there."""
    file = _file(function)
    found, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            found = linecache.getline(file, trace.tb_lineno).strip() or found
        trace = trace.tb_next
    return found


def _file(function: Any) -> str:
    """The file or cell of the function itself, under decorators and fixed arguments."""
    function = inspect.unwrap(function)
    while isinstance(function, partial):
        function = inspect.unwrap(function.func)
    inside = getattr(function, "forward", type(function).__call__)
    code = getattr(function, "__code__", None) or getattr(inside, "__code__", None)
    return getattr(code, "co_filename", "")

"""IPython's own exit() ends the kernel; while code is graded it raises, as Python's does."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def no_leaving() -> Iterator[None]:
    """Let nothing ask the shell to end, where there is one."""
    shell = _shell()
    if shell is None:
        yield
        return
    before = shell.__dict__.get("ask_exit")
    shell.ask_exit = _leave
    try:
        yield
    finally:
        del shell.ask_exit
        if before is not None:
            shell.ask_exit = before


def _shell() -> Any:
    module = sys.modules.get("IPython")  # never imported for this alone
    return module.get_ipython() if module is not None else None


def _leave() -> None:
    raise SystemExit

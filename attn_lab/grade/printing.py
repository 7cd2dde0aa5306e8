"""What a learner's function prints: the beginning is kept, and none is shown after the verdict."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

MOST = 10_000  # characters; a loop without end prints gigabytes


class OwnOutput:
    """Stands before a stream, and takes what one thread writes; all else goes on as before."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.thread: threading.Thread | None = None
        self.kept = ""

    def write(self, text: str) -> int:
        """Write for others; keep the beginning of what the thread writes."""
        if threading.current_thread() is not self.thread:
            return self.stream.write(text)
        self.kept += text[: MOST - len(self.kept)]
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write one after the other."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    @property
    def over(self) -> bool:
        """Whether nothing more can come."""
        return self.thread is None or not self.thread.is_alive()


@contextmanager
def own_output() -> Iterator[tuple[OwnOutput, OwnOutput]]:
    """Keep what a thread prints, and what it says of errors: the one that `thread` is set to.

    The beginning of its errors is shown in the end. Where the thread lives on after that, what
    it then writes is dropped.
    """
    printed = OwnOutput(_without_those_over(sys.stdout))
    errors = OwnOutput(_without_those_over(sys.stderr))
    sys.stdout, sys.stderr = cast(TextIO, printed), cast(TextIO, errors)
    try:
        yield printed, errors
    finally:
        sys.stdout = _without_those_over(printed)
        sys.stderr = _without_those_over(errors)
        if errors.kept:
            errors.stream.write(errors.kept)


def _without_those_over(stream: Any) -> TextIO:
    while isinstance(stream, OwnOutput) and stream.over:
        stream = stream.stream
    return cast(TextIO, stream)

"""What differs from machine to machine, shown in widgets so that no stored text depends on it."""

import contextlib
import ctypes
import gc
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attn_lab.core.devices import device
from attn_lab.core.threads import one_thread
from attn_lab.show import side_by_side
from attn_lab.show.as_written import in_html

Way = Callable[[Tensor, Tensor, Tensor], Any]
WIDTH = 64
WITHOUT_WIDGETS = "Differs from machine to machine: run this cell in JupyterLab to see it here."


class Versions:
    """The versions that computed what stands above, looked up when they are shown.

    >>> "PyTorch" in Versions().sentence()
    True
    """

    def sentence(self) -> str:
        """The versions as one sentence."""
        return f"Computed here with PyTorch {version('torch')}, Python {platform.python_version()}."

    def __repr__(self) -> str:
        return WITHOUT_WIDGETS

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        from attn_lab.widgets.panel import told  # widgets only where they are shown

        return told(f"<p>{in_html(self.sentence())}</p>", WITHOUT_WIDGETS)


def versions() -> Versions:
    """The versions, to be shown beside numbers that an update may change."""
    return Versions()


class Reading(NamedTuple):
    """One way at one length: the median time, and the memory it took beyond what was in use."""

    way: str
    length: int
    milliseconds: float
    megabytes: float | None


class Measured:
    """A measurement made when it is displayed, under a progress bar; the table replaces the bar.

    On a CPU one thread computes: with more, whatever else the machine does would be measured too.
    Shapes: every way is called with q, k, v [T, 64] in float32, for each T of `lengths`.
    """

    def __init__(self, ways: Mapping[str, Way], lengths: Sequence[int], repeats: int = 3) -> None:
        self.ways = dict(ways)
        self.lengths = list(lengths)
        self.repeats = repeats

    @one_thread()
    def readings(self, done: Callable[[], None] = lambda: None) -> list[Reading]:
        """One reading for each way and length; `done` is called after each."""
        found = []
        for length in self.lengths:
            generator = torch.Generator().manual_seed(0)
            q, k, v = torch.randn(3, length, WIDTH, generator=generator).to(device())
            for name, way in self.ways.items():
                megabytes = peak(partial(way, q, k, v))  # warms up as well
                times = []
                for _ in range(self.repeats):
                    start = time.perf_counter()
                    finished(partial(way, q, k, v))
                    times.append(1e3 * (time.perf_counter() - start))
                found.append(Reading(name, length, median(times), megabytes))
                done()
        return found

    def table(self, readings: list[Reading]) -> str:
        """The readings as HTML: a line for each way, its factor at the end."""
        by = {(each.way, each.length): each for each in readings}
        first, last = self.lengths[0], self.lengths[-1]
        rows: dict[str, list[str]] = {}
        for way in self.ways:
            took = [by[way, length].milliseconds for length in self.lengths]
            rows[f"{way}, ms"] = [*(f"{ms:.1f}" for ms in took), f"{took[-1] / took[0]:.1f}"]
            held = [by[way, length].megabytes for length in self.lengths]
            rows[f"{way}, MB more"] = [*map(_memory, held), ""]
        columns = [*(f"T = {length}" for length in self.lengths), f"{last} against {first}"]
        title = f"One head, width {WIDTH}, float32, on {machine()}"
        return side_by_side(rows, columns=columns, title=title).html

    def __repr__(self) -> str:
        return WITHOUT_WIDGETS

    def _ipython_display_(self) -> None:
        from IPython.display import display

        from attn_lab.widgets.panel import Panel  # widgets only where they are shown
        from attn_lab.widgets.parts import region

        most = len(self.ways) * len(self.lengths)
        done = count()
        panel = Panel([region("measured")], text=WITHOUT_WIDGETS)

        def step() -> None:
            at = next(done)
            said = f"Measured {at} of {most}"
            bar = f'<progress max="{most}" value="{at}" aria-label="{said}"></progress>'
            panel.put(html={"measured": f"<p>{bar} {said}</p>"})

        step()
        display(panel)
        panel.put(html={"measured": self.table(self.readings(step))})


def _memory(megabytes: float | None) -> str:
    # Pages that an earlier call gave back are used again unseen, so small numbers are not exact.
    if megabytes is None:
        return "not known"
    return "under 1" if megabytes < 1 else f"{megabytes:.1f}"


def measured(ways: Mapping[str, Way], lengths: Sequence[int], repeats: int = 3) -> Measured:
    """A measurement of several ways at several lengths, to be shown in a gated cell."""
    return Measured(ways, lengths, repeats)


def machine() -> str:
    """What the measurement runs on, in words."""
    if device().type == "cuda":
        return torch.cuda.get_device_name()
    return "CPU, one of its cores used"


def finished(call: Callable[[], Any]) -> None:
    """Make a call and wait until it is done: a GPU is only handed the work by it."""
    call()
    if device().type == "cuda":
        torch.cuda.synchronize()


def peak(call: Callable[[], Any]) -> float | None:
    """The most memory a call held at once, in MB beyond what was in use before it.

    A GPU counts this itself, and Linux keeps a high-water mark; where there is neither, None.
    """
    gc.collect()
    if device().type == "cuda":
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        finished(call)
        return (torch.cuda.max_memory_allocated() - before) / 1e6
    _give_back()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # sets the mark back to what is in use now
        before = _status("VmRSS")
        call()
        return max(0.0, (_status("VmHWM") - before) * 1024 / 1e6)
    except OSError:
        call()
        return None


def _give_back() -> None:
    """Hand free memory back, as far as the C library can: reused, it would not count as more."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))

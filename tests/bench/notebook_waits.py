"""How long a learner waits: each notebook in a kernel with torch's default threads.

`python tests/bench/notebook_waits.py` runs every notebook twice, with nothing committed and with
every answer revealed; with paths, only those. `--busy` keeps one core busy meanwhile.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
SAYS_SO = 2.0  # seconds; a cell that may take longer says that it works
HEAD = f"""\
notebook                        first   Run All,   what we     all   longest cell with all revealed
                             question    nothing   add (1)  revealed   (over {SAYS_SO:g} s: *)"""
FOOT = """\
Seconds. (1) Run All with nothing committed, beyond a kernel that only imports torch: {0:.1f} s"""


class Ran(NamedTuple):
    """One notebook in a fresh kernel, in seconds: its kernel's start, and each code cell."""

    kernel: float
    cells: dict[str, float]  # by the cell's id

    @property
    def whole(self) -> float:
        return self.kernel + sum(self.cells.values())

    @property
    def first_question(self) -> float:
        """From the start of the kernel until the first form stands there."""
        took = self.kernel
        for cell, seconds in self.cells.items():
            took += seconds
            if cell.startswith("predict-"):
                break
        return took


def ran(nb: nbformat.NotebookNode, *, revealed: bool) -> Ran:
    """Run a notebook as a learner's JupyterLab does, without a browser."""
    with tempfile.TemporaryDirectory() as folder:
        env = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
        env |= {"ATTN_LAB_STORE": f"{folder}/store.db"}
        env |= {"ATTN_LAB_REVEAL": "always"} if revealed else {}
        client = NotebookClient(
            nb,
            timeout=600,
            kernel_name="python3",
            allow_errors=True,
            extra_arguments=["--log-level=40"],
            resources={"metadata": {"path": folder}},
        )
        start, cells = time.perf_counter(), {}
        with client.setup_kernel(env=env):
            kernel = time.perf_counter() - start
            for index, cell in enumerate(nb.cells):
                if cell.cell_type == "code":
                    began = time.perf_counter()
                    client.execute_cell(cell, index)
                    cells[cell.id] = time.perf_counter() - began
    return Ran(kernel, cells)


def torch_alone() -> Ran:
    """A kernel that imports torch and does nothing else."""
    cells = [nbformat.v4.new_code_cell("import torch", id="import-torch")]
    return ran(nbformat.v4.new_notebook(cells=cells), revealed=False)


@contextmanager
def busy_core() -> Iterator[None]:
    """Another program keeps one core busy meanwhile."""
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        try:
            yield
        finally:
            other.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, help="default: all notebooks")
    parser.add_argument("--busy", action="store_true", help="beside one busy core")
    asked = parser.parse_args()
    beside = "beside one busy core" if asked.busy else "with no program of ours beside"
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, default threads, {beside}")
    print(HEAD)
    alone = []
    with busy_core() if asked.busy else nullcontext():
        for path in asked.paths or sorted(NOTEBOOKS.glob("*.ipynb")):
            nb = nbformat.read(path, as_version=4)
            alone.append(torch_alone().whole)  # right before, so that one load meets both
            closed, open_ = ran(nb, revealed=False), ran(nb, revealed=True)
            print(_line(path.stem, closed, open_, alone[-1]), flush=True)
    print(FOOT.format(statistics.median(alone)))


def _line(name: str, closed: Ran, open_: Ran, alone: float) -> str:
    longest, took = max(open_.cells.items(), key=lambda cell: cell[1])
    over = "".join(f" *{cell} {s:.1f}" for cell, s in open_.cells.items() if s > SAYS_SO)
    return (
        f"{name:28} {closed.first_question:8.1f} {closed.whole:10.1f} {closed.whole - alone:9.1f}"
        f" {open_.whole:9.1f}   {over.strip() or f'{longest} {took:.1f}'}"
    )


if __name__ == "__main__":
    main()

"""Run the notebooks and store their outputs: `make notebooks`, or this file with some paths.

Each notebook is executed in a fresh kernel that reveals every answer, against a scratch store,
and written back in its normal form. A second run gives the same bytes. A notebook that fails
is left as it was.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from attn_lab.course.editions import Notebook, as_text, normalise
from attn_lab.course.questions import questions

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CELL_SECONDS = 120


def reference_edition(nb: Notebook, folder: Path, store: Path) -> Notebook:
    """Return the notebook as a run in `folder` leaves it, in normal form."""
    node = nbformat.from_dict(nb)
    client = NotebookClient(
        node,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        store_widget_state=False,
        extra_arguments=["--log-level=40"],  # errors only: no notice about transport per notebook
        resources={"metadata": {"path": str(folder)}},
    )
    revealing = {"ATTN_LAB_REVEAL": "always", "ATTN_LAB_STORE": str(store), "OMP_NUM_THREADS": "1"}
    client.execute(env={**os.environ, **revealing})
    return normalise(node)


def build(path: Path) -> str:
    """Rewrite one notebook file and return one line that says what happened."""
    before = path.read_text("utf-8")
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        nb = nbformat.reads(before, as_version=4)
        after = as_text(reference_edition(nb, path.parent, Path(scratch) / "store.db"))
    if after != before:
        path.write_text(after, "utf-8")
    change = "unchanged" if after == before else "updated"
    return f"{path.name}: {change}, {time.perf_counter() - start:.1f} s"


def main(names: list[str]) -> int:
    """Build the named notebooks, or all of them; return 1 when one could not run."""
    try:
        questions()
    except ValueError as wrong:  # or every notebook would say it at the end of a long traceback
        print(wrong, file=sys.stderr)
        return 1
    failed = 0
    for path in [Path(name) for name in names] or sorted(NOTEBOOKS.glob("*.ipynb")):
        try:
            print(build(path), flush=True)
        except CellExecutionError as error:
            failed = 1
            print(f"{path.name}: left as it was, a cell failed\n{error}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

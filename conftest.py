"""Plain `pytest`, from any folder, also runs every notebook and compares all stored outputs."""

import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent
NOTEBOOKS = ROOT / "notebooks"
SANITISE = ROOT / "tests" / "notebooks" / "nbval.cfg"


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Switch strict nbval on, in this interpreter's kernel, with the one sanitise rule."""
    config.option.nbval = True
    config.option.nbval_current_env = True
    config.option.nbval_sanitize_with = str(SANITISE)
    config.option.nbval_cell_timeout = 120
    if config.getoption("numprocesses", None):
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # a core for each process, also for torch


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave alone what is not the course's, such as a learner's copy of a notebook."""
    if collection_path.suffix == ".ipynb" and collection_path.parent != NOTEBOOKS:
        return True
    if collection_path.name == "jupyterhub_config.py":
        return True  # only a Hub can load it
    if collection_path.is_relative_to(ROOT / "tests") and collection_path.suffix == ".py":
        # a module that only helps, or a benchmark: --doctest-modules would import it
        return None if collection_path.name.startswith("test_") else True
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share the tests out by file among the processes of `-n`."""
    from tests.helpers.workers import ByFile

    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, where several processes share the tests."""
    if hasattr(config, "workerinput"):
        from tests.helpers.workers import rank

        items.sort(key=lambda item: rank(item.nodeid))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say where the time went, where the slowest tests are asked for too."""
    if config.getoption("durations"):
        from tests.helpers.workers import seconds

        reports = [each for kind in terminalreporter.stats.values() for each in kind]
        timed = [each for each in reports if isinstance(each, pytest.TestReport)]
        terminalreporter.write_sep("=", "seconds by folder, and by process")
        for line in seconds(timed):
            terminalreporter.write_line(line)

"""Plain `pytest`, from any folder, also runs every notebook and compares all stored outputs."""

from pathlib import Path

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

"""One JupyterLab for all browser tests; each test gets a notebook of its own."""

import os
import shutil
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from attn_lab.commands.learners_folder import copy_notebooks, shipped_folder, shipped_notebooks
from tests.helpers.lab_page import LabPage
from tests.helpers.lab_server import LabServer, lab_server

# What JupyterLab itself writes to the console, and why it is nothing that we could mend.
ALLOWED = {
    "Could not restore the debugger state: Canceled": "a notebook closed while its kernel starts",
    "reading 'promise')": "a rate limiter called once more after several notebooks were closed",
}
FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    """JupyterLab, with the reference edition in a folder of its own."""
    with lab_server(tmp_path_factory.mktemp("lab")) as server:
        (server.root / "reference").mkdir()
        for path in shipped_folder().glob("*.ipynb"):
            shutil.copy(path, server.root / "reference")
        yield server


@pytest.fixture(scope="session")
def shared_lab(browser: Browser, server: LabServer) -> Iterator[LabPage]:
    """The one page, so that JupyterLab itself is loaded once."""
    with browser.new_context(viewport={"width": 1280, "height": 1000}) as context:
        lab = LabPage(server, context.new_page())
        lab.start()
        yield lab


@pytest.fixture
def lab(shared_lab: LabPage) -> Iterator[LabPage]:
    """The page with nothing open, no kernel running and nothing predicted yet."""
    yield shared_lab.fresh()
    shared_lab.fresh()


@pytest.fixture(scope="session")
def own_copy(server: LabServer) -> Callable[[str], str]:
    """A function that gives the path of a learner's fresh copy of a notebook."""
    numbers = count(1)

    def copy(name: str) -> str:
        folder = f"mine-{next(numbers)}"
        copy_notebooks({name: shipped_notebooks()[name]}, server.root / folder)
        return f"{folder}/{name}"

    return copy


@pytest.fixture(scope="session")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for screenshots: ATTN_LAB_SHOTS, or one of pytest's own."""
    folder = Path(os.environ.get("ATTN_LAB_SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    """Remember a failure, for its screenshot."""
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(autouse=True)
def quiet(request: pytest.FixtureRequest, shared_lab: LabPage, shots: Path) -> Iterator[None]:
    """After each test the browser's console is empty; a failed test leaves a screenshot."""
    yield
    if request.node.stash.get(FAILED, False):
        name = f"failed-{request.node.name.replace('/', '-')}.png"
        shared_lab.page.screenshot(path=shots / name)
    said, shared_lab.complaints[:] = [*shared_lab.complaints], []
    assert [each for each in said if not any(known in each for known in ALLOWED)] == []

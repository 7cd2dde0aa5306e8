"""One browser for every test that needs one, and a store for each that writes to one."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",  # containers run as root
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a store of the test's own, with every gate shut and outside any class."""
    path = tmp_path / "predictions.sqlite"
    monkeypatch.setenv("ATTN_LAB_STORE", str(path))
    monkeypatch.delenv("ATTN_LAB_REVEAL", raising=False)
    monkeypatch.delenv("ATTN_LAB_CLASS", raising=False)
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once; or a skip that says why, and a failure where it is required."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        reason = f"no browser: none of {', '.join(NAMES)} is on the PATH"
        if os.environ.get("ATTN_LAB_REQUIRE_BROWSER") == "1":
            pytest.fail(f"{reason}, and ATTN_LAB_REQUIRE_BROWSER=1 requires one")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        expect.set_options(timeout=30_000)  # a busy machine is no failure
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()

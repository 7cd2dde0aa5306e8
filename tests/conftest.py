"""One browser for every test that needs one: Playwright can be started once in a process."""

import os
import shutil
from collections.abc import Iterator

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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, or a skip that says why; a failure where the browser tests are required."""
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

"""A store in a folder of its own, and a child process that uses one."""

import subprocess
import sys

import pytest

from attn_lab.record import Store, location


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "predictions.sqlite"


@pytest.fixture
def store(path):
    return Store(path)


@pytest.fixture
def child(path):
    """Starts Python with `store` made for the same file; the caller waits for it."""

    def start(code):
        begin = (
            "import os, signal, sys\nfrom pathlib import Path\n"
            "from attn_lab.record import Attempt, Store\n"
            f"store = Store(Path({str(path)!r}))\n"
        )
        return subprocess.Popen(
            [sys.executable, "-c", begin + code], stdout=subprocess.PIPE, text=True
        )

    return start


@pytest.fixture
def default_place(tmp_path, monkeypatch):
    """Where the store lies without ATTN_LAB_STORE, in a data folder of the test's own."""
    share = tmp_path / "share"
    monkeypatch.setattr(location, "user_data_path", lambda name, appauthor: share / name)
    return location.default_path()

"""`attn-lab` copies, says so, and becomes JupyterLab, which really starts as we say."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from attn_lab import cli
from attn_lab.commands import lab
from attn_lab.commands.lab import lab_command, lab_environment, needs_allow_root

TOKEN = "a-token-of-this-test"
VIEW = "application/vnd.jupyter.widget-view+json"


class Server:
    """A JupyterLab started by our command, and a way to ask it things."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        extra = ["--no-browser", f"--port={self.port}", "--ServerApp.port_retries=0"]
        extra += [f"--IdentityProvider.token={TOKEN}", "--ServerApp.ip=127.0.0.1"]
        extra += ["--allow-root"] if needs_allow_root(extra) else []
        own = {
            name: str(folder / name) for name in ("HOME", "JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR")
        }
        self.folder = folder / "notebooks"
        self.folder.mkdir()
        self.process = subprocess.Popen(
            lab_command(self.folder, "00_start_here.ipynb", extra),
            env=lab_environment({**os.environ, **own}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, path: str, content: dict[str, Any] | None = None) -> Any:
        """The server's answer to a GET, or to a PUT of some content."""
        body = None if content is None else json.dumps(content).encode()
        request = Request(f"http://127.0.0.1:{self.port}{path}", body)
        request.add_header("Authorization", f"token {TOKEN}")
        request.get_method = lambda: "GET" if body is None else "PUT"
        with urlopen(request, timeout=30) as reply:
            text = reply.read().decode()
            return reply.url if "html" in reply.headers["Content-Type"] else json.loads(text)

    def wait(self, seconds: float = 60) -> None:
        """Wait until it answers."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            try:
                return self.ask("/api/status") and None
            except URLError:
                time.sleep(0.1)
        raise AssertionError(f"JupyterLab did not answer; its exit status: {self.process.poll()}")


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    try:
        server.wait()
        yield server
    finally:
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(timeout=30)


def test_it_opens_the_first_notebook_of_the_learners_folder(server):
    (server.folder / "mine.ipynb").write_text("{}")
    assert [each["name"] for each in server.ask("/api/contents")["content"]] == ["mine.ipynb"]
    assert server.ask("/").endswith("/lab/tree/00_start_here.ipynb")


def test_it_asks_nothing_about_news(server):
    settings = server.ask("/lab/api/settings/@jupyterlab/apputils-extension:notification")
    properties = settings["schema"]["properties"]
    assert properties["fetchNews"]["default"] == "false"
    assert properties["checkForUpdates"]["default"] is False


def test_which_tabs_are_open_is_kept_with_the_learners_folder(server):
    tabs = {"data": {}, "metadata": {"id": "default"}}
    request = Request(
        f"http://127.0.0.1:{server.port}/lab/api/workspaces/default",
        json.dumps(tabs).encode(),
        {"Authorization": f"token {TOKEN}"},
        method="PUT",
    )
    with urlopen(request, timeout=30) as reply:
        assert reply.status == 204
    assert list((server.folder / ".jupyterlab-workspaces").glob("default*"))


def test_a_press_of_a_button_cannot_overtake_what_was_typed_before_it(server):
    settings = server.ask("/lab/api/settings/@jupyterlab/apputils-extension:kernels-settings")
    assert settings["schema"]["properties"]["commsOverSubshells"]["default"] == "disabled"


def test_a_save_strips_widget_views(server):
    output = {"output_type": "display_data", "metadata": {}}
    output["data"] = {VIEW: {"model_id": "f00"}, "text/plain": "Run this cell to start."}
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": 1}
    cell["source"] = "from attn_lab import ask"
    nb = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [{**cell, "outputs": [output]}],
    }
    server.ask("/api/contents/saved.ipynb", {"type": "notebook", "content": nb})
    text = (server.folder / "saved.ipynb").read_text("utf-8")
    assert VIEW not in text
    assert "Run this cell to start." in text


def test_our_settings_come_first_and_the_learners_path_is_kept():
    path = lab_environment({"JUPYTER_CONFIG_PATH": "/mine"})["JUPYTER_CONFIG_PATH"]
    ours, theirs = path.split(os.pathsep)
    assert (Path(ours) / "labconfig" / "default_setting_overrides.json").is_file()
    assert theirs == "/mine"
    assert lab_environment({})["JUPYTER_CONFIG_PATH"] == ours


@pytest.mark.parametrize(("user", "needed"), [(0, True), (1000, False)])
def test_only_root_needs_leave_to_start(monkeypatch, user, needed):
    monkeypatch.setattr(lab.os, "geteuid", lambda: user, raising=False)
    assert needs_allow_root([]) is needed
    assert not needs_allow_root(["--allow-root"])


def test_it_is_this_pythons_jupyterlab_and_extra_arguments_win():
    command = lab_command(Path("/notes"), "00.ipynb", ["--ServerApp.root_dir=/other"])
    assert command[0] == sys.executable
    assert command[-1] == "--ServerApp.root_dir=/other"


@pytest.fixture
def became(monkeypatch, tmp_path) -> list[tuple[list[str], dict[str, str]]]:
    """What this process would have become: the command and its environment."""
    calls: list[tuple[list[str], dict[str, str]]] = []
    monkeypatch.setenv("ATTN_LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ATTN_LAB_STORE", "/somewhere/store.db")
    monkeypatch.setattr(lab, "shipped_notebooks", lambda: {"00_a.ipynb": "{}", "01_b.ipynb": "{}"})
    monkeypatch.setattr(lab, "needs_allow_root", lambda extra: False)
    monkeypatch.setattr(
        lab.os, "execve", lambda program, command, env: calls.append((command, env))
    )
    return calls


def test_it_serves_the_learners_folder_and_opens_the_first_notebook(became, tmp_path, capsys):
    cli.main([])
    (command, environment) = became[0]
    assert f"--ServerApp.root_dir={tmp_path / 'home'}" in command
    assert "--LabApp.default_url=/lab/tree/00_a.ipynb" in command
    assert environment["ATTN_LAB_STORE"] == "/somewhere/store.db"
    assert environment["JUPYTER_CONFIG_PATH"].endswith("commands")
    assert "Copied 00_a.ipynb." in capsys.readouterr().out
    assert (tmp_path / "home" / "01_b.ipynb").exists()


def test_as_root_it_adds_the_flag_and_says_so_in_one_line(became, monkeypatch, capsys):
    monkeypatch.setattr(lab, "needs_allow_root", lambda extra: True)
    cli.main(["--no-browser"])
    assert became[0][0][-2:] == ["--allow-root", "--no-browser"]
    assert len([line for line in capsys.readouterr().out.splitlines() if "root:" in line]) == 1


def test_where_a_process_cannot_become_another_it_waits(became, monkeypatch):
    class Done:
        returncode = 7

    monkeypatch.setattr(lab.sys, "platform", "win32")
    monkeypatch.setattr(lab.subprocess, "run", lambda command, env: Done)
    assert cli.main([]) == 7
    assert became == []


def test_the_second_time_it_says_that_the_notebooks_are_kept(became, capsys):
    cli.main([])
    assert "kept" not in capsys.readouterr().out
    cli.main([])
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "Your notebooks are kept as you left them; none is new or updated."


def test_one_that_comes_back_is_said_and_that_the_others_are_kept(became, tmp_path, capsys):
    cli.main([])
    (tmp_path / "home" / "01_b.ipynb").unlink()
    capsys.readouterr()
    cli.main([])
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["Copied 01_b.ipynb.", "Your other notebooks are kept as you left them."]


@pytest.mark.parametrize(
    ("extra", "said"),
    [([], "A browser opens by itself. If none does, open"), (["--no-browser"], "No browser was")],
)
def test_where_the_address_will_stand_is_the_last_thing_said(became, capsys, extra, said):
    cli.main(extra)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(said) and "JupyterLab prints below" in last

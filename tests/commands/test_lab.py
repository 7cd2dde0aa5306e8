"""`attn-lab` copies, says so, and becomes JupyterLab on the first notebook."""

import pytest

from attn_lab import cli
from attn_lab.commands import lab


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
    assert environment["JUPYTER_CONFIG_PATH"].endswith("attn_lab")
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

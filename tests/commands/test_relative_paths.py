"""A relative path in the environment means one place: for terminal, JupyterLab and its kernels."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from attn_lab import cli
from attn_lab.commands import lab
from attn_lab.commands.relative_paths import make_whole
from attn_lab.record import store_path


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """The folder that the learner is in, with both paths given relative to it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ATTN_LAB_HOME", "course")
    monkeypatch.setenv("ATTN_LAB_STORE", "mine.sqlite")
    return tmp_path


def again(monkeypatch) -> None:
    """The shell's environment, as the next command finds it."""
    monkeypatch.setenv("ATTN_LAB_HOME", "course")
    monkeypatch.setenv("ATTN_LAB_STORE", "mine.sqlite")


def test_a_kernel_of_jupyterlab_reads_the_store_that_the_terminal_reads(here, monkeypatch, capsys):
    begun = []
    monkeypatch.setattr(lab, "start", lambda command, environment: begun.append(environment) or 0)
    assert cli.main([]) == 0
    again(monkeypatch)
    assert cli.main(["report"]) == 0
    assert f"Your predictions, from {here / 'mine.sqlite'}" in capsys.readouterr().out
    code = "from attn_lab.record import store_path; print(store_path())"
    kernel = subprocess.run(
        [sys.executable, "-c", code],
        cwd=here / "course",
        env={**os.environ, **begun[0]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert kernel.stdout.strip() == str(here / "mine.sqlite")


def test_inside_the_learners_folder_both_are_the_places_of_before(here, monkeypatch, capsys):
    cli.main(["copy"])
    monkeypatch.chdir(here / "course")
    again(monkeypatch)
    cli.main(["copy"])
    assert not (here / "course" / "course").exists()
    assert f"Your notebooks are in {here / 'course'}" in capsys.readouterr().out
    assert store_path() == here / "mine.sqlite"


@pytest.mark.parametrize("path", ["", " ", "~/course", os.path.abspath("course")])
def test_what_is_whole_or_not_set_stays(path):
    environment = {"ATTN_LAB_HOME": path}
    make_whole(environment)
    assert environment == {"ATTN_LAB_HOME": path}


def test_a_folder_of_the_same_name_that_is_not_the_learners_holds_a_new_one(tmp_path, monkeypatch):
    (tmp_path / "course").mkdir()
    monkeypatch.chdir(tmp_path / "course")
    environment = {"ATTN_LAB_HOME": "course"}
    make_whole(environment)
    assert environment == {"ATTN_LAB_HOME": str(tmp_path / "course" / "course")}

"""`attn-lab` alone opens JupyterLab; each subcommand explains itself; mistakes are said."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from attn_lab import __version__, cli
from attn_lab.commands import lab
from attn_lab.record import Attempt, Store


@pytest.fixture
def started(monkeypatch, tmp_path) -> list[list[str]]:
    """The commands that would have started JupyterLab, with a home of the test's own."""
    calls: list[list[str]] = []
    monkeypatch.setenv("ATTN_LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(lab, "shipped_notebooks", lambda: {"00_a.ipynb": "{}\n"})
    monkeypatch.setattr(lab, "start", lambda command, environment: calls.append(command) or 0)
    return calls


@pytest.mark.parametrize("given", [[], ["lab"]])
def test_without_a_name_it_is_lab(started, given):
    assert cli.main(given) == 0
    assert started[0][1:3] == ["-m", "jupyterlab"]


@pytest.mark.parametrize("name", [[], ["lab"]])
def test_what_lab_does_not_know_goes_on_to_jupyterlab_in_order(started, name):
    extra = ["--no-browser", "--port", "8899", "--ServerApp.token=x"]
    assert cli.main([*name, *extra]) == 0
    assert started[0][-4:] == extra


@pytest.mark.parametrize("command", cli.COMMANDS, ids=lambda command: command.NAME)
def test_every_command_explains_itself(capsys, command):
    with pytest.raises(SystemExit, match="0"):
        cli.main([command.NAME, "--help"])
    assert command.NAME in capsys.readouterr().out


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    text = capsys.readouterr().out
    assert all(f" {command.NAME} " in text for command in cli.COMMANDS)


def test_version_is_said(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"attn-lab {__version__}\n"


@pytest.mark.parametrize("given", [["chek"], ["check", "--fast"], ["forget", "now"]])
def test_an_unknown_name_or_argument_is_refused(started, capsys, given):
    with pytest.raises(SystemExit, match="2"):
        cli.main(given)
    assert given[-1] in capsys.readouterr().err
    assert started == []


def test_what_a_command_refuses_is_one_line_and_status_1(started, monkeypatch, capsys, tmp_path):
    in_the_way = tmp_path / "a-file"
    in_the_way.write_text("")
    monkeypatch.setenv("ATTN_LAB_HOME", str(in_the_way / "home"))
    assert cli.main([]) == 1
    assert capsys.readouterr().err.startswith("attn-lab lab: ")
    assert started == []


@pytest.mark.parametrize("only", [["00"], []], ids=["short", "long"])
def test_a_reader_that_has_seen_enough_ends_it_without_a_word(tmp_path, only):
    read, write = os.pipe()
    os.close(read)  # nobody reads: what `| head -0` does
    here = {**os.environ, "ATTN_LAB_STORE": str(tmp_path / "store.db"), "PYTHONUNBUFFERED": ""}
    command = [sys.executable, "-m", "attn_lab.cli", "report", *only]
    ended = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, env=here, check=False)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (cli.CLOSED, b"")


def in_a_shell(line, folder, **environment):
    """Runs a line of shell, with $CLI for attn-lab, in a folder; returns how it ended."""
    here = {
        **os.environ,
        "CLI": f"{sys.executable} -m attn_lab.cli",
        "PYTHONPATH": str(Path(cli.__file__).parents[1]),
        "ATTN_LAB_HOME": "",
        **environment,
    }
    return subprocess.run(
        line, shell=True, capture_output=True, text=True, env=here, cwd=folder, check=False
    )


@pytest.mark.skipif(os.name == "nt", reason="written for a POSIX shell")
def test_what_an_encoding_lacks_does_not_stop_the_report(tmp_path):
    store = tmp_path / "store.db"
    Store(store).add(Attempt("05/first-row", [1, 0, 0, 0], "guess", "over √d"))
    given = {"ATTN_LAB_STORE": str(store), "PYTHONIOENCODING": "cp1252"}
    ended = in_a_shell("$CLI report", tmp_path, **given)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "because over sqrt d" in ended.stdout and "\n10 " in ended.stdout


@pytest.mark.skipif(os.name == "nt", reason="written for a POSIX shell")
def test_without_an_output_the_report_ends_without_a_word(tmp_path):
    ended = in_a_shell("$CLI report >&-", tmp_path, ATTN_LAB_STORE=str(tmp_path / "store.db"))
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="there a folder that is in use cannot be deleted")
def test_in_a_deleted_folder_copy_says_that_it_is_gone_and_where_to_go(tmp_path):
    (tmp_path / "gone").mkdir()
    ended = in_a_shell("rmdir ../gone && $CLI copy", tmp_path / "gone")
    assert ended.returncode == 1
    assert ended.stderr.startswith("attn-lab copy: the folder that you are in is gone: ")


def test_an_unknown_argument_is_answered_with_the_commands_own_usage(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["copy", "--foo"])
    assert capsys.readouterr().err.startswith("usage: attn-lab copy [-h]\n")

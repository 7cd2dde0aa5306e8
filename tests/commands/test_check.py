"""Each fact that `attn-lab check` prints is found out here, and what to do is said beside it."""

import sys
from pathlib import Path

import pytest

from attn_lab import cli
from attn_lab.commands import check
from attn_lab.commands.check import (
    as_line,
    compute_fact,
    folder_fact,
    kernel_fact,
    package_fact,
    package_facts,
    python_fact,
    store_fact,
    widget_fact,
)


@pytest.fixture(autouse=True)
def places(own_store, tmp_path, monkeypatch) -> Path:
    """A store and a home of the test's own."""
    monkeypatch.setenv("ATTN_LAB_HOME", str(tmp_path / "home"))
    return tmp_path


def test_here_everything_is_there_and_it_says_so(capsys):
    assert cli.main(["check"]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == "setup complete"
    assert all(line.startswith("ok ") for line in lines)


def test_one_thing_to_mend_is_named_at_the_end_with_status_1(capsys, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_DEVICE", "abacus")
    assert cli.main(["check"]) == 1
    text = capsys.readouterr().out
    assert "mend  device" in text and "abacus" in text
    assert text.splitlines()[-1] == "To mend: device"


def test_an_old_python_is_to_be_replaced():
    assert "Install Python 3.11" in python_fact((3, 10, 9))[0].advice
    assert python_fact((3, 11, 0))[0].advice == ""


def test_every_package_that_running_needs_is_looked_at_and_no_test_tool():
    names = [fact.name for fact in package_facts()]
    assert {"torch", "jupyterlab", "ipywidgets"} <= set(names)
    assert "pytest" not in names


@pytest.mark.parametrize(
    ("found", "met"),
    [
        ("4.4.0", True),
        ("4.10.1", True),
        ("4.3.9", False),
        ("5", False),
        ("4.4", True),
        ("4+99", False),
    ],
)
def test_a_version_is_compared_with_both_bounds(monkeypatch, found, met):
    monkeypatch.setattr(check.metadata, "version", lambda name: found)
    fact = package_fact("jupyterlab<5,>=4.4")
    assert (fact.name, fact.found, fact.advice == "") == ("jupyterlab", found, met)
    assert met or "pip install 'jupyterlab<5,>=4.4'" in fact.advice


@pytest.mark.parametrize(
    ("requirement", "met"),
    [("numpy==2.4.6", True), ("numpy==1.0", False), ("numpy~=1.0", False), ("numpy!=2.4.6", False)],
)
def test_every_kind_of_bound_is_understood(monkeypatch, requirement, met):
    monkeypatch.setattr(check.metadata, "version", lambda name: "2.4.6")
    assert (package_fact(requirement).advice == "") == met


def test_a_torch_that_does_not_load_is_a_fact_and_no_traceback(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "install torch again" in compute_fact()[0].advice


@pytest.mark.parametrize("wanted", ["cuda", "foo", "cuda:x"])
def test_a_device_that_is_not_here_is_said_once_with_one_advice(monkeypatch, wanted):
    monkeypatch.setenv("ATTN_LAB_DEVICE", wanted)
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    line = as_line(compute_fact()[0])
    assert wanted in line and ".." not in line
    assert line.lower().count("unset") == 1 and "install torch" not in line


def test_missing_widget_files_are_named(tmp_path):
    assert "jupyterlab_widgets" in widget_fact(str(tmp_path))[0].advice


def test_a_kernel_of_another_python_is_to_be_mended(monkeypatch):
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

    spec = KernelSpec(argv=["/usr/bin/other-python", "-m", "ipykernel"])
    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", lambda self, name: spec)
    fact = kernel_fact()[0]
    assert "/usr/bin/other-python" in fact.found
    assert fact.advice.startswith(sys.executable)


def test_a_store_that_cannot_be_written_says_what_to_do(places, monkeypatch):
    (places / "a-file").write_text("")
    monkeypatch.setenv("ATTN_LAB_STORE", str(places / "a-file" / "store.db"))
    assert "ATTN_LAB_STORE" in store_fact()[0].advice


def test_the_folder_is_said_before_and_after_it_is_made(places):
    home = places / "home"
    assert folder_fact()[0].found == f"none yet: run attn-lab, which copies them to {home}"
    home.mkdir()
    (home / "00_a.ipynb").write_text("{}")
    assert folder_fact()[0].found == f"1 in {home}"

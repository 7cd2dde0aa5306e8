"""Each fact that `attn-lab check` prints is found out here, and what to do is said beside it."""

import json
import os
import re
import shutil
import sys
import venv
from pathlib import Path
from types import SimpleNamespace

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
    shadow_facts,
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


@pytest.fixture
def looked(tmp_path, monkeypatch) -> list[Path]:
    """The folders in which Jupyter looks, one of them a user's own."""
    paths = [tmp_path / "user", tmp_path / "environment"]
    monkeypatch.setattr(
        "jupyter_core.paths.jupyter_path",
        lambda *below: [str(each.joinpath(*below)) for each in paths],
    )
    return paths


def test_missing_widget_files_are_named_with_every_place_that_was_looked_at(looked):
    fact = widget_fact()[0]
    assert "jupyterlab_widgets" in fact.advice
    assert all(str(each / "labextensions") in fact.found for each in looked)


@pytest.mark.parametrize("place", [0, 1])
def test_widget_files_are_found_wherever_jupyter_looks(looked, place):
    (looked[place] / "labextensions" / check.WIDGET_FILES).mkdir(parents=True)
    assert widget_fact()[0].advice == ""


@pytest.fixture
def other_python(tmp_path, monkeypatch) -> Path:
    """A second environment of the same base Python, whose kernel comes first as python3."""
    venv.create(tmp_path / "other", symlinks=os.name != "nt")  # a copy is no link to one base
    program = tmp_path / "other" / ("Scripts" if os.name == "nt" else "bin") / "python"
    own = tmp_path / "data" / "kernels" / "python3"
    own.mkdir(parents=True)
    argv = [str(program), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (own / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Other"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "data"))
    return own


def test_a_kernel_of_another_environment_of_one_base_python_is_found(other_python, tmp_path):
    fact = kernel_fact()[0]
    assert str(tmp_path / "other") in fact.found and str(other_python) in fact.found


def test_what_is_advised_about_a_kernel_mends_it_and_keeps_the_other(other_python):
    from jupyter_client.kernelspec import KernelSpecManager

    before, after = re.fullmatch(
        r"Rename the folder (.+) to (\S+): it stays a kernel, under that name",
        kernel_fact()[0].advice,
    ).groups()
    Path(before).rename(Path(before).with_name(after))
    assert kernel_fact()[0].advice == ""
    assert KernelSpecManager().get_kernel_spec(after).display_name == "Other"


def test_a_kernel_whose_python_is_gone_is_said(other_python, tmp_path):
    shutil.rmtree(tmp_path / "other")
    fact = kernel_fact()[0]
    assert "which does not start" in fact.found and "Rename" in fact.advice


def test_in_a_notebook_the_running_kernel_is_the_truth(other_python, monkeypatch):
    import IPython

    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=True))
    assert kernel_fact() == [check.Fact("kernel", f"this notebook runs Python in {sys.prefix}")]


@pytest.mark.parametrize("name", ["torch.py", "numpy.py", "attn_lab.py", "random.py"])
def test_a_file_that_takes_a_modules_place_is_named_and_renaming_it_mends_it(places, name):
    (places / "home").mkdir()
    (places / "home" / name).write_text("")
    (places / "home" / "mine.py").write_text("")
    fact = shadow_facts()[0]
    assert str(places / "home" / name) in fact.found
    after = re.search(r"to (\S+), and restart", fact.advice)[1]
    (places / "home" / name).rename(places / "home" / after)
    assert shadow_facts() == []


def test_a_torch_py_beside_the_notebooks_is_no_reason_to_install_torch_again(places, monkeypatch):
    monkeypatch.chdir(places)
    (places / "torch.py").write_text("")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert compute_fact() == []
    assert [fact.found.split()[-1] for fact in shadow_facts()] == ["torch"]


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

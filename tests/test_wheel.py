"""An installed package works without a clone: the wheel holds the notebooks and all data files.

The version stands once, and a commit is checked without a network.
"""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from attn_lab import __version__

ROOT = Path(__file__).parents[1]
CODE = """
from attn_lab.commands.learners_folder import shipped_folder, shipped_notebooks
print(shipped_folder(), *shipped_notebooks(), sep="\\n")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    """The wheel, built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def files(folder: str, *endings: str) -> set[str]:
    found = (ROOT / folder).rglob("*")
    return {str(each.relative_to(ROOT)) for each in found if each.suffix in endings}


def test_it_holds_every_notebook(wheel):
    notebooks = {f"attn_lab/notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert notebooks
    assert {name for name in wheel.namelist() if name.endswith(".ipynb")} == notebooks


def test_it_holds_the_package_and_its_data_and_no_tests(wheel):
    endings = (".py", ".toml", ".json", ".js", ".css", ".html", ".md", ".npz")
    about = (".dist-info/", ".data/")
    inside = {name for name in wheel.namelist() if not any(part in name for part in about)}
    assert files("attn_lab", *endings) <= inside
    assert all(name.startswith("attn_lab/") for name in inside)
    assert not [name for name in inside if "conftest" in name or "test_" in name]


def test_it_puts_the_save_hook_where_every_jupyter_server_of_the_environment_looks(wheel):
    (place,) = [name for name in wheel.namelist() if ".data/" in name]
    assert place.endswith(".data/data/etc/jupyter/jupyter_server_config.d/attn_lab.json")
    assert "attn_lab.commands.save_hook" in wheel.read(place).decode()


def test_an_unpacked_wheel_finds_its_notebooks(wheel, tmp_path):
    wheel.extractall(tmp_path)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    folder, *names = run.stdout.splitlines()
    assert folder == str(tmp_path / "attn_lab" / "notebooks")
    assert names == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_its_version_is_the_one_that_the_package_says(wheel):
    names = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    assert names == [f"attn_lab-{__version__}.dist-info/METADATA"]
    assert f"\nVersion: {__version__}\n" in wheel.read(names[0]).decode()


def test_it_says_that_its_types_may_be_relied_on(wheel):
    assert "attn_lab/py.typed" in wheel.namelist()


def test_a_commit_is_checked_by_tools_that_are_here_and_nothing_is_fetched():
    repos = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    hooks = [hook for each in repos for hook in each["hooks"]]
    assert {each["repo"] for each in repos} == {"local"}
    assert {hook["id"] for hook in hooks} == {"ruff-check", "ruff-format", "mypy"}
    assert {hook["language"] for hook in hooks} == {"system"}

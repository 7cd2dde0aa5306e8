"""What conda installs, what pip locks and what pyproject asks for are one set of bounds."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONDA = (ROOT / "environment.yml").read_text("utf-8")
# conda-forge's name where it is another one, and the build that holds no CUDA
CONDA_NAMES = {"torch": "pytorch", "matplotlib": "matplotlib-base"}
BUILDS = {"pytorch": "cpu*"}


def asked_for() -> dict[str, str]:
    """The bounds that pyproject gives, by conda's names: what runs, and what builds the package."""
    project = PROJECT["project"]
    lines = [*project["dependencies"], *PROJECT["build-system"]["requires"]]
    lines += [f"python{project['requires-python']}", "pip"]
    found = dict(re.fullmatch(r"([\w.-]+)(.*)", line).groups() for line in lines)
    return {CONDA_NAMES.get(name, name): bounds for name, bounds in found.items()}


def differences(text: str) -> list[str]:
    """What an environment.yml has that pyproject has not, or the other way round."""
    environment: dict[str, Any] = yaml.safe_load(text)
    packages = [
        line.replace(" ", "") for line in environment["dependencies"] if isinstance(line, str)
    ]
    pip = [line for line in environment["dependencies"] if not isinstance(line, str)]
    wanted = {f"{name}{bounds}{BUILDS.get(name, '')}" for name, bounds in asked_for().items()}
    wrong = [f"missing: {line}" for line in sorted(wanted - set(packages))]
    wrong += [f"not in pyproject: {line}" for line in sorted(set(packages) - wanted)]
    if environment["channels"] != ["conda-forge", "nodefaults"]:
        wrong.append(f"channels: {environment['channels']}")
    if pip != [{"pip": ["-e ."]}]:
        wrong.append(f"from pip: {pip}")
    return wrong


def test_conda_installs_what_pyproject_asks_for():
    assert differences(CONDA) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  - numpy>=2.0\n", ""),
        ("numpy>=2.0", "numpy>=1.0"),
        ("jupyterlab>=4.4,<5", "jupyterlab>=4.4"),
        ("python>=3.11", "python>=3.10"),
        ("pytorch >=2.6 cpu*", "pytorch >=2.6"),
        ("  - pip\n", "  - pip\n  - scipy\n"),
        ("  - conda-forge\n", "  - defaults\n"),
        ("  - nodefaults\n", ""),
        ("      - -e .\n", "      - -e .\n      - torch\n"),
    ],
)
def test_a_broken_copy_is_found(old, new):
    assert old in CONDA
    assert differences(CONDA.replace(old, new)) != []


def locked(name: str) -> dict[str, str]:
    """The exact version of each package in a lock file."""
    lines = (ROOT / name).read_text("utf-8").splitlines()
    pins = [line.partition(";")[0].strip() for line in lines if "==" in line and line[0] != "#"]
    return {canonicalize_name(name): version for name, version in (p.split("==") for p in pins)}


RUN, TEST = locked("requirements.lock"), locked("requirements-test.lock")
EXTRAS = PROJECT["project"]["optional-dependencies"]


@pytest.mark.parametrize(
    ("line", "pins"),
    [(line, RUN) for line in PROJECT["project"]["dependencies"]]
    + [(line, RUN) for line in PROJECT["build-system"]["requires"]]
    + [(line, RUN | TEST) for line in EXTRAS["test"] + EXTRAS["class"]],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_lock_holds_a_version_within_the_bounds(line, pins):
    wanted = Requirement(line)
    version = pins[canonicalize_name(wanted.name)]
    assert version in wanted.specifier, f"{version} does not meet {line}; run make lock"


def test_the_locks_agree_and_torch_is_the_tested_one():
    assert RUN.keys().isdisjoint(TEST)
    assert RUN["torch"] == "2.13.0"
    assert not [name for name in RUN if name.startswith(("nvidia", "cuda", "triton"))]

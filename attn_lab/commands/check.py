"""`attn-lab check`: one line for each thing the notebooks need, and what to do about it."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from attn_lab.commands.learners_folder import learner_home

NAME = "check"
HELP = "say whether everything the notebooks need is here, and what to do if not"
WIDGET_FILES = "share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager"


@dataclass(frozen=True)
class Fact:
    """One thing that was looked at; `advice` says what to do, and is "" when all is well."""

    name: str
    found: str
    advice: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add none."""


def run(arguments: argparse.Namespace) -> int:
    """Print the facts; the status is 1 when something is to be mended."""
    facts = [fact for find in FACTS for fact in find()]
    print(*map(as_line, facts), sep="\n")
    wrong = [fact.name for fact in facts if fact.advice]
    print(f"To mend: {', '.join(wrong)}" if wrong else "setup complete")
    return 1 if wrong else 0


def as_line(fact: Fact) -> str:
    """One fact as a line: what it is, what was found, and what to do.

    >>> as_line(Fact("python", "3.12.1"))
    'ok    python          3.12.1'
    >>> as_line(Fact("python", "3.9.2", "Install Python 3.11 or newer."))
    'mend  python          3.9.2. Install Python 3.11 or newer.'
    """
    word = "mend" if fact.advice else "ok"
    return f"{word:<6}{fact.name:<16}{fact.found}{'. ' if fact.advice else ''}{fact.advice}"


def python_fact(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> list[Fact]:
    """The interpreter's version and place."""
    advice = "" if version >= (3, 11) else "Install Python 3.11 or newer, then run make lab."
    return [Fact("python", f"{'.'.join(map(str, version))} in {sys.prefix}", advice)]


def package_facts() -> list[Fact]:
    """One fact for each package that pyproject.toml names, with its bounds."""
    required = [Requirement(text) for text in metadata.requires("attn-lab") or []]
    here = [one for one in required if one.marker is None or one.marker.evaluate({"extra": ""})]
    return [package_fact(str(one)) for one in sorted(here, key=str)]


def package_fact(requirement: str) -> Fact:
    """Whether one requirement, such as "jupyterlab<5,>=4.4", is met here.

    >>> package_fact("no-such-package>=1").advice
    "Install it: pip install 'no-such-package>=1'"
    """
    wanted = Requirement(requirement)
    try:
        found = metadata.version(wanted.name)
    except metadata.PackageNotFoundError:
        return Fact(wanted.name, "not installed", f"Install it: pip install '{requirement}'")
    if wanted.specifier.contains(found, prereleases=True):
        return Fact(wanted.name, found)
    return Fact(wanted.name, found, f"It does not meet {requirement}: pip install '{requirement}'")


def compute_fact() -> list[Fact]:
    """The device that the notebooks compute on, by computing on it."""
    try:
        import torch

        from attn_lab.core.devices import DeviceError, device

        try:
            here = device()
        except DeviceError as error:
            return [Fact("device", error.found, error.advice)]
        torch.ones(2, device=here).sum().item()
    except Exception as error:  # a broken build fails in many ways; each is to be said
        first = str(error).strip().splitlines() or [type(error).__name__]
        return [
            Fact("device", first[0].rstrip("."), "Unset ATTN_LAB_DEVICE, or install torch again.")
        ]
    return [Fact("device", f"the notebooks compute on {here}")]


def widget_fact(prefix: str = sys.prefix) -> list[Fact]:
    """Whether JupyterLab will find the files that draw widgets."""
    if (Path(prefix) / WIDGET_FILES).is_dir():
        return [Fact("widgets", "JupyterLab has what draws them")]
    advice = "Install it where JupyterLab runs: pip install --force-reinstall jupyterlab_widgets"
    return [Fact("widgets", f"missing in {prefix}", advice)]


def kernel_fact() -> list[Fact]:
    """Whether the kernel called python3 runs this very Python."""
    try:
        from jupyter_client.kernelspec import KernelSpecManager

        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except Exception as error:  # jupyter_client missing, or no such kernel
        return [Fact("kernel", f"none: {error}", "Install it: pip install ipykernel")]
    if Path(program).name == program or Path(program).resolve() == Path(sys.executable).resolve():
        return [Fact("kernel", "python3 runs this Python")]
    return [
        Fact(
            "kernel",
            f"python3 runs {program}",
            f"{sys.executable} -m ipykernel install --sys-prefix",
        )
    ]


def store_fact() -> list[Fact]:
    """Whether a prediction can be saved."""
    from attn_lab.record import store_path
    from attn_lab.record.store_file import trouble_writing

    try:
        path = store_path()
    except ValueError as error:
        return [Fact("store", "not found", str(error))]
    if trouble := trouble_writing(path):
        return [Fact("store", str(path), trouble)]
    return [Fact("store", f"{path} can be written")]


def folder_fact() -> list[Fact]:
    """Where the learner's notebooks are; none yet is no fault."""
    try:
        home = learner_home()
    except ValueError as error:
        return [Fact("notebooks", "not found", str(error))]
    count = len(list(home.glob("*.ipynb")))
    none_yet = f"none yet: run attn-lab, which copies them to {home}"
    return [Fact("notebooks", f"{count} in {home}" if count else none_yet)]


FACTS: tuple[Callable[[], list[Fact]], ...] = (
    python_fact,
    package_facts,
    compute_fact,
    widget_fact,
    kernel_fact,
    store_fact,
    folder_fact,
)

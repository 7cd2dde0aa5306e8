"""What `attn-lab check` finds out. A fact with advice is one to mend."""

import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

WIDGET_FILES = "share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager"


@dataclass(frozen=True)
class Fact:
    """One thing that was looked at; `advice` says what to do, and is "" when all is well."""

    name: str
    found: str
    advice: str = ""


def python_fact(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> list[Fact]:
    """Return the interpreter's version and place."""
    advice = "" if version >= (3, 11) else "Install Python 3.11 or newer, then run make lab."
    return [Fact("python", f"{'.'.join(map(str, version))} in {sys.prefix}", advice)]


def package_facts() -> list[Fact]:
    """Return one fact for each package that pyproject.toml names, with its bounds."""
    required = [Requirement(text) for text in metadata.requires("attn-lab") or []]
    here = [one for one in required if one.marker is None or one.marker.evaluate({"extra": ""})]
    return [package_fact(str(one)) for one in sorted(here, key=str)]


def package_fact(requirement: str) -> Fact:
    """Return whether one requirement, such as "jupyterlab<5,>=4.4", is met here.

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
    """Return the device that the notebooks compute on, by computing on it."""
    try:
        import torch

        from attn_lab.core.devices import device

        try:
            here = device()
        except ValueError as error:  # its last sentence says what to do
            found, _, advice = str(error).rpartition(". ")
            return [Fact("device", found, advice)]
        torch.ones(2, device=here).sum().item()
    except Exception as error:  # a broken build fails in many ways; each is to be said
        first = str(error).strip().splitlines() or [type(error).__name__]
        return [
            Fact("device", first[0].rstrip("."), "Unset ATTN_LAB_DEVICE, or install torch again.")
        ]
    return [Fact("device", f"the notebooks compute on {here}")]


def widget_fact(prefix: str = sys.prefix) -> list[Fact]:
    """Return whether JupyterLab will find the files that draw widgets."""
    if (Path(prefix) / WIDGET_FILES).is_dir():
        return [Fact("widgets", "JupyterLab has what draws them")]
    advice = "Install it where JupyterLab runs: pip install --force-reinstall jupyterlab_widgets"
    return [Fact("widgets", f"missing in {prefix}", advice)]


def kernel_fact() -> list[Fact]:
    """Return whether the kernel called python3 runs this very Python."""
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
    """Return whether a prediction can be saved."""
    from attn_lab.record.database import writing
    from attn_lab.record.paths import store_path
    from attn_lab.record.troubles import TROUBLES, explain

    try:
        path = store_path()
    except ValueError as error:
        return [Fact("store", "not found", str(error))]
    try:
        with writing(path):
            return [Fact("store", f"{path} can be written")]
    except TROUBLES as error:
        return [Fact("store", str(path), explain(error, path))]


def folder_fact() -> list[Fact]:
    """Return where the learner's notebooks are; none yet is no fault."""
    from attn_lab.commands.learner_home import learner_home

    try:
        home = learner_home()
    except ValueError as error:
        return [Fact("notebooks", "not found", str(error))]
    count = len(list(home.glob("*.ipynb")))
    none_yet = f"none yet: run attn-lab, which copies them to {home}"
    return [Fact("notebooks", f"{count} in {home}" if count else none_yet)]

"""`attn-lab check`: one line for each thing the notebooks need, and what to do about it."""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from itertools import count
from pathlib import Path

from packaging.requirements import Requirement

from attn_lab.commands.learners_folder import PACKAGE, learner_home

NAME = "check"
HELP = "say whether everything the notebooks need is here, and what to do if not"
WIDGET_FILES = "@jupyter-widgets/jupyterlab-manager"


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
    required = [Requirement(text) for text in _requirements()]
    here = [one for one in required if one.marker is None or one.marker.evaluate({"extra": ""})]
    return [package_fact(str(one)) for one in sorted(here, key=str)]


def _requirements() -> list[str]:
    return metadata.requires("attn-lab") or []


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
        if shadows():  # said by itself, and no new torch would help
            return []
        first = str(error).strip().splitlines() or [type(error).__name__]
        return [
            Fact("device", first[0].rstrip("."), "Unset ATTN_LAB_DEVICE, or install torch again.")
        ]
    return [Fact("device", f"the notebooks compute on {here}")]


def widget_fact() -> list[Fact]:
    """Whether JupyterLab will find the files that draw widgets, where it looks itself."""
    from jupyter_core.paths import jupyter_path

    looked = jupyter_path("labextensions")
    if any((Path(each) / WIDGET_FILES).is_dir() for each in looked):
        return [Fact("widgets", "JupyterLab has what draws them")]
    advice = "Install it where JupyterLab runs: pip install --force-reinstall jupyterlab_widgets"
    return [Fact("widgets", f"missing in each of {', '.join(looked)}", advice)]


def kernel_fact() -> list[Fact]:
    """Whether the notebooks' kernel runs this very Python; in a notebook, which one it runs."""
    if _in_a_kernel():
        return [Fact("kernel", f"this notebook runs Python in {sys.prefix}")]
    try:
        from jupyter_client.kernelspec import KernelSpecManager

        spec = KernelSpecManager().get_kernel_spec("python3")
    except Exception as error:  # jupyter_client missing, or no such kernel
        return [Fact("kernel", f"none: {error}", "Install it: pip install ipykernel")]
    prefix = kernel_prefix(spec.argv, spec.env)
    if prefix and Path(prefix).resolve() == Path(sys.prefix).resolve():
        return [Fact("kernel", "python3 runs this Python")]
    runs = f"Python in {prefix}" if prefix else f"{spec.argv[0]}, which does not start"
    place = Path(spec.resource_dir)
    other = next(each for each in _names(place) if not each.exists())
    return [
        Fact(
            "kernel",
            f"python3 runs {runs}; it is described in {place}",
            f"Rename the folder {place} to {other.name}: it stays a kernel, under that name",
        )
    ]


def kernel_prefix(argv: Sequence[str], environment: Mapping[str, str]) -> str:
    """The prefix of the Python that a kernel's command starts, as it says itself; "" if none."""
    program = list(argv[: argv.index("-m")] if "-m" in argv else argv[:1])
    if program and program[0] in ("python", "python3", f"python3.{sys.version_info.minor}"):
        program[0] = sys.executable  # as Jupyter does
    try:
        said = subprocess.run(
            [*program, "-c", "import sys; print(sys.prefix)"],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=30,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return said.stdout.strip() if said.returncode == 0 else ""


def shadow_facts() -> list[Fact]:
    """One fact for each file beside the notebooks that Python would import in place of another."""
    return [
        Fact(
            "imports",
            f"{path} would be imported in place of {path.stem}",
            f"Rename it, such as to my_{path.name}, and restart the kernel",
        )
        for path in shadows()
    ]


def shadows() -> list[Path]:
    """What lies beside the notebooks under a name that Python or a required package has."""
    required = {Requirement(text).name.replace("-", "_") for text in _requirements()}
    taken = (required | set(sys.stdlib_module_names) | {"attn_lab"}) - {"test"}
    folders = {Path.cwd()}
    with suppress(ValueError):  # `folder_fact` says it
        folders.add(learner_home())
    files = [each for folder in folders for each in folder.glob("*.py")]
    made = [each.parent for folder in folders for each in folder.glob("*/__init__.py")]
    return sorted(each for each in files + made if each.stem in taken and each != PACKAGE)


def _in_a_kernel() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and hasattr(shell.get_ipython(), "kernel")


def _names(folder: Path) -> Iterator[Path]:
    """Names beside a folder that it could get."""
    return (folder.with_name(f"{folder.name}-other{n or ''}") for n in count())


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
    shadow_facts,
    compute_fact,
    widget_fact,
    kernel_fact,
    store_fact,
    folder_fact,
)

"""`attn-lab lab`, or just `attn-lab`: copy the notebooks and open JupyterLab on the first one.

JupyterLab finds our settings in the folder `labconfig` and the save hook in
`jupyter_server_config.d`, which it looks for along JUPYTER_CONFIG_PATH; the learner's own settings
are neither read nor written.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from attn_lab.commands.copy import copied_lines
from attn_lab.commands.learners_folder import learner_home, shipped_notebooks

NAME = "lab"
HELP = "copy the notebooks into your folder and open JupyterLab there (what attn-lab does alone)"
PASSES_ON = True  # arguments that this command does not know go on to JupyterLab

SETTINGS = Path(__file__).parent  # what JupyterLab looks for is here
WORKSPACES = ".jupyterlab-workspaces"  # in the learner's folder: tabs of other work stay away


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what can be given; the arguments themselves are JupyterLab's."""
    parser.usage = "attn-lab [lab] [JupyterLab's arguments, such as --no-browser or --port 8899]"
    parser.epilog = "ATTN_LAB_HOME names your folder; without it, ./attn-lab-notebooks is used."


def run(arguments: argparse.Namespace) -> int:
    """Copy, say so, and hand over to JupyterLab."""
    shipped, home, extra = shipped_notebooks(), learner_home(), list(arguments.extra)
    print(*copied_lines(shipped, home), sep="\n")
    if needs_allow_root(extra):
        print("Running as root: JupyterLab is started with --allow-root.")
        extra.insert(0, "--allow-root")
    print(f"Starting JupyterLab on {home}. Ctrl+C stops it; your work is saved there.")
    print(where_to_look(extra), flush=True)
    return start(lab_command(home, next(iter(shipped)), extra), lab_environment(os.environ))


def where_to_look(extra: Sequence[str]) -> str:
    """How the learner gets to the page: only JupyterLab knows its port and its token."""
    address = "the address that JupyterLab prints below; it begins with http and holds token="
    if "--no-browser" in extra:
        return f"No browser was asked for. Open {address}"
    return f"A browser opens by itself. If none does, open {address}"


def start(command: list[str], environment: dict[str, str]) -> int:
    """Become JupyterLab, so that a signal to this process reaches it; on Windows, wait for it."""
    if sys.platform == "win32":
        return subprocess.run(command, env=environment).returncode
    os.execve(command[0], command, environment)


def lab_command(folder: Path, first: str, extra: Sequence[str] = ()) -> list[str]:
    """The command that serves `folder` and opens the notebook `first`.

    >>> lab_command(Path("/home/me/notes"), "00_start_here.ipynb", ["--no-browser"])[-2:]
    ['--LabApp.default_url=/lab/tree/00_start_here.ipynb', '--no-browser']
    """
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.workspaces_dir={folder / WORKSPACES}",
        f"--LabApp.default_url=/lab/tree/{first}",
        *extra,
    ]


def lab_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with our settings first on Jupyter's path.

    >>> lab_environment({"JUPYTER_CONFIG_PATH": "/mine"})["JUPYTER_CONFIG_PATH"].endswith("/mine")
    True
    """
    own = environment.get("JUPYTER_CONFIG_PATH")
    path = os.pathsep.join([str(SETTINGS), *([own] if own else [])])
    return {**environment, "JUPYTER_CONFIG_PATH": path}


def needs_allow_root(extra: Sequence[str]) -> bool:
    """Whether JupyterLab would refuse to start because it runs as root."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and not any(argument.startswith("--allow-root") for argument in extra)

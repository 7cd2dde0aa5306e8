"""`attn-lab lab`, or just `attn-lab`: copy the notebooks and open JupyterLab on the first one."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from attn_lab.commands.arrival import arrival_lines
from attn_lab.commands.learner_home import learner_home
from attn_lab.commands.learners_folder import shipped_notebooks
from attn_lab.labconfig.starting import lab_command, lab_environment, needs_allow_root

NAME = "lab"
HELP = "copy the notebooks into your folder and open JupyterLab there (what attn-lab does alone)"
PASSES_ON = True  # arguments that this command does not know go on to JupyterLab


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what can be given; the arguments themselves are JupyterLab's."""
    parser.usage = "attn-lab [lab] [JupyterLab's arguments, such as --no-browser or --port 8899]"
    parser.epilog = "ATTN_LAB_HOME names your folder; without it, ./attn-lab-notebooks is used."


def run(arguments: argparse.Namespace) -> int:
    """Copy, say so, and hand over to JupyterLab."""
    shipped, home, extra = shipped_notebooks(), learner_home(), list(arguments.extra)
    for line in arrival_lines(shipped, home):
        print(line)
    if needs_allow_root(extra):
        print("Running as root: JupyterLab is started with --allow-root.")
        extra.insert(0, "--allow-root")
    print(f"Starting JupyterLab on {home}. Ctrl+C stops it; your work is saved there.")
    print(where_to_look(extra), flush=True)
    return start(lab_command(home, next(iter(shipped)), extra), lab_environment(os.environ))


def where_to_look(extra: Sequence[str]) -> str:
    """Return how the learner gets to the page: only JupyterLab knows its port and its token."""
    address = "the address that JupyterLab prints below; it begins with http and holds token="
    if "--no-browser" in extra:
        return f"No browser was asked for. Open {address}"
    return f"A browser opens by itself. If none does, open {address}"


def start(command: list[str], environment: dict[str, str]) -> int:
    """Become JupyterLab, so that a signal to this process reaches it; on Windows, wait for it."""
    if sys.platform == "win32":
        return subprocess.run(command, env=environment).returncode
    os.execve(command[0], command, environment)

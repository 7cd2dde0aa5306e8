"""The command and the environment that start JupyterLab on a learner's folder."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SETTINGS = Path(__file__).parents[1]  # Jupyter looks for a folder `labconfig` in it
WORKSPACES = ".jupyterlab-workspaces"  # in the learner's folder: tabs of other work stay away
SAVE_HOOK = "attn_lab.labconfig.saving.strip_widgets"


def lab_command(folder: Path, first: str, extra: Sequence[str] = ()) -> list[str]:
    """Return the command that serves `folder` and opens the notebook `first`.

    >>> lab_command(Path("/home/me/notes"), "00_start_here.ipynb", ["--no-browser"])[-3:]
    ['--LabApp.default_url=/lab/tree/00_start_here.ipynb', \
'--ContentsManager.pre_save_hook=attn_lab.labconfig.saving.strip_widgets', '--no-browser']
    """
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.workspaces_dir={folder / WORKSPACES}",
        f"--LabApp.default_url=/lab/tree/{first}",
        f"--ContentsManager.pre_save_hook={SAVE_HOOK}",
        *extra,
    ]


def lab_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with our settings first on Jupyter's path.

    >>> lab_environment({"JUPYTER_CONFIG_PATH": "/mine"})["JUPYTER_CONFIG_PATH"].endswith("/mine")
    True
    """
    own = environment.get("JUPYTER_CONFIG_PATH")
    path = os.pathsep.join([str(SETTINGS), *([own] if own else [])])
    return {**environment, "JUPYTER_CONFIG_PATH": path}


def needs_allow_root(extra: Sequence[str]) -> bool:
    """Return whether JupyterLab would refuse to start because it runs as root."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and not any(argument.startswith("--allow-root") for argument in extra)

"""`attn-lab copy`: bring the notebooks into the learner's folder, and nothing more."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from attn_lab.commands.learners_folder import copy_notebooks, learner_home, shipped_notebooks

NAME = "copy"
HELP = "copy new and updated notebooks into your folder, without opening JupyterLab"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add none; ATTN_LAB_HOME names the folder."""


def run(arguments: argparse.Namespace) -> int:
    """Copy, and say what was copied and where it is."""
    home = learner_home()
    print(*copied_lines(shipped_notebooks(), home), sep="\n")
    print(f"Your notebooks are in {home}")
    return 0


def copied_lines(shipped: Mapping[str, str], home: Path) -> list[str]:
    """Copy, and say what came and that the rest was kept; it is never nothing."""
    lines = copy_notebooks(shipped, home)
    if not lines:
        return ["Your notebooks are kept as you left them; none is new or updated."]
    kept = "Your other notebooks are kept as you left them."
    return [*lines, kept] if len(lines) < len(shipped) else lines

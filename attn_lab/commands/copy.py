"""`attn-lab copy`: bring the notebooks into the learner's folder, and nothing more."""

import argparse

from attn_lab.commands.arrival import arrival_lines
from attn_lab.commands.learner_home import learner_home
from attn_lab.commands.learners_folder import shipped_notebooks

NAME = "copy"
HELP = "copy new and updated notebooks into your folder, without opening JupyterLab"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none; ATTN_LAB_HOME names the folder."""


def run(arguments: argparse.Namespace) -> int:
    """Copy, and say what was copied and where it is."""
    home = learner_home()
    for line in arrival_lines(shipped_notebooks(), home):
        print(line)
    print(f"Your notebooks are in {home}")
    return 0

"""Relative paths in the environment: made whole once, where the command starts.

JupyterLab and its kernels inherit the whole path; each of them runs in a folder of its own.
"""

from collections.abc import MutableMapping
from pathlib import Path

from attn_lab.commands.learners_folder import DEFAULT_HOME, current_folder, is_learners

VARIABLES = ("ATTN_LAB_STORE", "ATTN_LAB_HOME")


def make_whole(environment: MutableMapping[str, str]) -> None:
    """Make each relative path a whole one, from the folder where the learner is.

    Inside the learner's own folder it is the folder around that: what was started outside and
    what is started inside then mean one place.
    Raises: ValueError where a path is relative and the folder they are in has been deleted.
    """
    given = {name: environment.get(name, "").strip() for name in VARIABLES}
    relative = {name: path for name, path in given.items() if _is_relative(path)}
    if not relative:
        return
    base = _around(current_folder(), Path(relative.get("ATTN_LAB_HOME", DEFAULT_HOME)))
    for name, path in relative.items():
        environment[name] = str(base / path)


def _is_relative(path: str) -> bool:
    return bool(path) and not path.startswith("~") and not Path(path).is_absolute()


def _around(here: Path, home: Path) -> Path:
    inside = is_learners(here) and here.parts[-len(home.parts) :] == home.parts
    return here.parents[len(home.parts) - 1] if home.parts and inside else here

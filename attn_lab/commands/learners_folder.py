"""The learner's folder: where it is, and how notebooks get into it without harm to their work."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from attn_lab.course.editions import as_text, learner_copy
from attn_lab.course.reference import shipped_folder
from attn_lab.record.location import named_path

PACKAGE = Path(__file__).parents[1]
DEFAULT_HOME = "attn-lab-notebooks"
SHIPPED_LAST = ".attn-lab-shipped.json"  # the digest of each file as it was last offered here
# These concern one name; a full disk would meet the other notebooks too, and stops the copying.
_IN_THE_WAY = (IsADirectoryError, PermissionError)


def learner_home() -> Path:
    """The learner's folder: ATTN_LAB_HOME, or attn-lab-notebooks where they are now.

    Where they are now may be that folder itself: a notebook runs in the folder it lies in.
    Raises: ValueError where ATTN_LAB_HOME is no whole path, as in `named_path`, and where the
    folder that they are in has been deleted.
    """
    if named := named_path("ATTN_LAB_HOME"):
        return named
    here = current_folder()
    return here if is_learners(here) else here / DEFAULT_HOME


def current_folder() -> Path:
    """The folder that they are in.

    Raises: ValueError where it has been deleted.
    """
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise ValueError(
            "the folder that you are in is gone: it was deleted or moved. Go to another one, "
            "such as with cd ~, and try again."
        ) from None


def is_learners(folder: Path) -> bool:
    """Whether notebooks have been copied into a folder."""
    return (folder / SHIPPED_LAST).is_file()


def shipped_notebooks() -> dict[str, str]:
    """The text of each learner's copy by its file name, in the order of the course.

    Raises: ValueError when there is none, which means a damaged installation.
    """
    paths = sorted(shipped_folder().glob("*.ipynb"))
    if not paths:
        raise ValueError(f"no notebooks in {shipped_folder()}. Install attn-lab again.")
    return {path.name: as_text(learner_copy(_read(path))) for path in paths}


def copy_notebooks(shipped: Mapping[str, str], home: Path) -> list[str]:
    """Write what is new into `home`, and give one line for each thing the learner should know.

    A file that the learner changed is never written to: a newer version is laid beside it.
    One that cannot be written is said and left out; the others still come.
    Raises: ValueError when `home` is the folder that the notebooks come from, or no folder.
    """
    if home.resolve() == shipped_folder().resolve():
        raise ValueError(
            f"ATTN_LAB_HOME must be a folder of your own; got {home}, which holds the author's "
            "notebooks. Name another folder, or unset it."
        )
    _make_folder(home)
    last = _read_digests(home / SHIPPED_LAST)
    lines = []
    for name, text in shipped.items():
        try:
            lines += _bring(home / name, text, last)
        except _IN_THE_WAY as problem:
            lines.append(_left_out(problem, home / name))
            continue
        last[name] = _digest(text)
    try:
        _write(home / SHIPPED_LAST, as_text(last))
    except _IN_THE_WAY as problem:
        lines.append(_left_out(problem, home / SHIPPED_LAST))
    return lines


def _make_folder(home: Path) -> None:
    """Make the learner's folder where there is none.

    Raises: ValueError that says what is in the way, and what to set.
    """
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        file = next((each for each in (home, *home.parents) if each.is_file()), None)
        why = f"{file} is a file" if file else f"it cannot be made ({problem.strerror})"
        raise ValueError(
            f"ATTN_LAB_HOME needs a folder for your notebooks; {home} is none, because {why}. "
            "Set ATTN_LAB_HOME to another folder."
        ) from None


def _bring(path: Path, text: str, last: dict[str, str]) -> list[str]:
    """Copy a notebook that is not there yet, or bring a newer version of one that is."""
    if not path.exists():
        _write(path, text)
        return [f"Copied {path.name}."]
    if last.get(path.name) == _digest(text) or _is_same_lesson(path, text):
        return []
    if _is_untouched(path, last):
        _write(path, text)
        return [f"Updated {path.name}; you had not changed yours."]
    tails = ("", *(f"-{number}" for number in range(2, 100)))
    names = (path.with_suffix(f".new{tail}.ipynb") for tail in tails)
    beside = next(each for each in names if not each.exists() or _is_untouched(each, last))
    _write(beside, text)
    last[beside.name] = _digest(text)
    return [f"There is a newer {path.name}: {beside.name}. Yours is as you left it."]


def _left_out(problem: OSError, path: Path) -> str:
    what = "is a folder" if path.is_dir() else f"cannot be written ({problem.strerror})"
    return (
        f"Left out {path.name}: {path} {what}. Rename it, or set ATTN_LAB_HOME to another folder, "
        "then start again."
    )


def _is_untouched(path: Path, last: Mapping[str, str]) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == last.get(path.name)


def _is_same_lesson(path: Path, text: str) -> bool:
    """Whether the learner's file differs from the newer one by its outputs alone."""
    try:
        return as_text(learner_copy(_read(path))) == text
    except (ValueError, KeyError, TypeError, AttributeError):
        return False  # not a notebook any more; it is theirs all the same


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def _read_digests(path: Path) -> dict[str, str]:
    # Without it nothing is lost: every changed notebook then counts as the learner's work.
    try:
        digests = _read(path)
    except (OSError, ValueError):
        return {}
    return digests if isinstance(digests, dict) else {}


def _write(path: Path, text: str) -> None:
    """Write the whole file or nothing, however full the disk and whoever else copies now."""
    part = path.with_name(f".{path.name}.{uuid4().hex}.part")
    try:
        part.write_bytes(text.encode())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)

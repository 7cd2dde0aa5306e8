"""What lies beside the store: its journal, its guard, what was set aside, and others' files."""

import os
import re
from pathlib import Path

from attn_lab.record.database import is_damaged
from attn_lab.record.ownership import is_marked
from attn_lab.record.paths import default_path

_ASIDE = re.compile(r"(?P<file>\.damaged-\d{8}-\d{6}(-\d+)?)(-journal)?")


def beside(path: Path) -> list[Path]:
    """Returns the store's file and all that is named after it, whoever wrote it."""
    tails = ("-journal", ".guard", ".damaged-")
    names = tuple(path.name + tail for tail in tails)
    found = path.parent.iterdir() if os.path.isdir(path.parent) else ()
    return sorted(each for each in found if each == path or each.name.startswith(names))


def owned(path: Path) -> list[Path]:
    """Returns those of `beside` that are ours, and may be deleted when the learner says so."""
    mine = os.path.isfile(path) and (
        is_marked(path) or (path == default_path() and is_damaged(path))
    )
    return [each for each in beside(path) if each.is_file() and _is_owned(each, path, mine)]


def _is_owned(each: Path, path: Path, mine: bool) -> bool:
    tail = each.name.removeprefix(path.name)
    if tail in ("", "-journal"):
        return mine
    if tail == ".guard":  # it is only locked, never written
        return each.stat().st_size == 0
    aside = _ASIDE.fullmatch(tail)
    if aside is None:
        return False
    whole = path.with_name(path.name + aside["file"])
    return path == default_path() or (whole.is_file() and is_marked(whole))

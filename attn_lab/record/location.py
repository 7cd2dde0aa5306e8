"""Where the store lives, and in one sentence why it cannot be written there."""

import errno
import os
import sqlite3
import tempfile
from pathlib import Path

from platformdirs import user_data_path


class NotOursError(Exception):
    """The file is none that this version may write to."""


# A learner is better served by an answer kept in memory and a sentence than by a traceback.
TROUBLES = (OSError, sqlite3.DatabaseError, NotOursError)

_FOLDER = "it is a folder"
_ELSEWHERE = "set ATTN_LAB_STORE to a file that can be written"
_REASONS = {
    sqlite3.SQLITE_FULL: ("the disk is full", "free some space"),
    sqlite3.SQLITE_READONLY: ("it cannot be written", _ELSEWHERE),
    sqlite3.SQLITE_PERM: ("it cannot be written", _ELSEWHERE),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened for writing", _ELSEWHERE),
    sqlite3.SQLITE_BUSY: ("another program keeps it locked", "close other notebooks"),
    sqlite3.SQLITE_LOCKED: ("another program keeps it locked", "close other notebooks"),
    sqlite3.SQLITE_IOERR: ("the disk answers with an error", "check the disk"),
}


def store_path() -> Path:
    """The absolute path of the store's file, which need not exist yet.

    Raises: ValueError where ATTN_LAB_STORE is no whole path, as in `named_path`.
    """
    return named_path("ATTN_LAB_STORE") or default_path()


def default_path() -> Path:
    """Where the store lies while ATTN_LAB_STORE is not set."""
    return user_data_path("attn_lab", appauthor=False) / "predictions.sqlite"


def named_path(variable: str) -> Path | None:
    """The absolute path that an environment variable names, None where it names none.

    Raises: ValueError where it begins with the home of a user who is not here, and for a relative
    path: every notebook runs in its own folder, and would find another place there. The command
    `attn-lab` makes such a path whole before anything reads it.
    """
    chosen = os.environ.get(variable, "").strip()
    if not chosen:
        return None
    try:
        whole = Path(chosen).expanduser()
    except RuntimeError:  # what pathlib raises for a home that it cannot find
        raise ValueError(
            f"{variable} needs a path on this computer; got {chosen!r}, and there is no home "
            f"folder for {Path(chosen).parts[0]}. Set {variable} to a whole path, or unset it."
        ) from None
    if not whole.is_absolute():
        raise ValueError(
            f"{variable} needs a whole path here; got {chosen!r}, which means another place in "
            f"each folder. Set {variable} to a whole path, or open the notebooks with attn-lab."
        )
    return whole


def explain(error: BaseException, path: Path) -> str:
    """What a learner is told when answers can only be kept in memory."""
    # os.path says False where nobody may look; Path would raise the same error once more
    reason, advice = (_FOLDER, _ELSEWHERE) if os.path.isdir(path) else _reason(error)
    return (
        "Answers are kept until the kernel stops and will not be remembered after that: "
        f"they are saved in {path}, and {reason}. To mend it, {advice}."
    )


def trouble_making(path: Path) -> str:
    """Why a file that is not there could not be made, "" where it is or could be."""
    if os.path.exists(path):
        return ""
    nearest = next(each for each in path.parents if os.path.exists(each))
    try:
        with tempfile.TemporaryFile(dir=nearest):
            return ""
    except OSError as error:
        return explain(error, path)


def kind_of(error: BaseException) -> int:
    """SQLite's number for the kind of an error, 0 where it has none."""
    # The low byte is the kind; the rest is detail such as "index corrupt".
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _reason(error: BaseException) -> tuple[str, str]:
    if isinstance(error, NotOursError):
        return str(error), _ELSEWHERE
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return _REASONS[sqlite3.SQLITE_FULL]
        return _REASONS[sqlite3.SQLITE_CANTOPEN]
    return _REASONS.get(kind_of(error), (f"the database says “{error}”", _ELSEWHERE))

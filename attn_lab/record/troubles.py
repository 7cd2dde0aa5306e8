"""Says in one sentence why the store cannot be written, and what to do about it."""

import errno
import os
import sqlite3
from pathlib import Path

from attn_lab.record.tables import NotOursError

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


def explain(error: BaseException, path: Path) -> str:
    """Returns what a learner is told when answers can only be kept in memory."""
    # os.path says False where nobody may look; Path would raise the same error once more
    reason, advice = (_FOLDER, _ELSEWHERE) if os.path.isdir(path) else _reason(error)
    return (
        "Answers are kept until the kernel stops and will not be remembered after that: "
        f"they are saved in {path}, and {reason}. To mend it, {advice}."
    )


def _reason(error: BaseException) -> tuple[str, str]:
    if isinstance(error, NotOursError):
        return str(error), _ELSEWHERE
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return _REASONS[sqlite3.SQLITE_FULL]
        return _REASONS[sqlite3.SQLITE_CANTOPEN]
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return _REASONS.get(kind, (f"the database says “{error}”", _ELSEWHERE))

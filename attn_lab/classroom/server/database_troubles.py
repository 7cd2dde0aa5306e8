"""Why a class's database cannot be used, in words that say what to do."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from attn_lab.classroom.server.class_file import FileGoneError

IN_USE = "Another attn-lab class is running on it: stop that one first."
NO_FOLDER = "Its folder has to exist, and the file has to be writable."
READ_ONLY = "its file or its folder cannot be written. Make both writable, or give another one"
NO_DATABASE = "Give another --database: a class makes its own file."
FULL = "the disk is full. Free some space"
FAILING = "the disk answers with an error. Check the disk, or give another one"

# by the beginning of SQLite's name for the error; the first that fits
_OF_SQLITE = {
    "SQLITE_BUSY": "its database says {}. " + IN_USE,
    "SQLITE_CANTOPEN": "its database says {}. " + NO_FOLDER,
    "SQLITE_NOTADB": "its database says {}. " + NO_DATABASE,
    "SQLITE_CORRUPT": "its database says {}. " + NO_DATABASE,
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_PERM": READ_ONLY,
    "SQLITE_IOERR_LOCK": READ_ONLY,  # what a file that may only be read says to who locks it
    "SQLITE_FULL": FULL,
    "SQLITE_IOERR": FAILING,
}


def why_not(error: SQLAlchemyError) -> str:
    """What is wrong with a database, and the advice that fits it, without a value of anybody's.

    >>> why_not(FileGoneError("its file has vanished"))
    'its file has vanished.'
    """
    if not isinstance(error, DBAPIError):
        said = str(error) if isinstance(error, FileGoneError) else type(error).__name__
        return f"{said}."
    said = " ".join(str(error.orig).split())
    name = getattr(error.orig, "sqlite_errorname", "")
    fits = [words for start, words in _OF_SQLITE.items() if name.startswith(start)]
    return [*fits, "its database says {}."][0].format(said).removesuffix(".") + "."

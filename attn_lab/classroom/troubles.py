"""Says in one line why a class cannot start or its report be written, and what to do about it."""

import errno
import socket

from sqlalchemy.exc import DBAPIError

IN_USE = "Another attn-lab class is running on it: stop that one first."
NO_FOLDER = "Its folder has to exist, and the file has to be writable."
NO_DATABASE = "Give another --database: a class makes its own file."
NO_ADDRESS = "This machine cannot be reached there: leave out --address, and one is found."
TAKEN = "Try another --port or --desk-port."

_OF_DATABASES = {
    "locked": IN_USE,
    "unable to open": NO_FOLDER,
    "readonly": NO_FOLDER,
    "not a database": NO_DATABASE,
}


def why(error: DBAPIError | OSError) -> str:
    """Returns what went wrong, and the advice that fits it.

    >>> why(OSError(errno.EADDRINUSE, "Address already in use"))
    'Address already in use. Try another --port or --desk-port.'
    """
    if isinstance(error, DBAPIError):
        said = " ".join(str(error.orig).split())
        fits = [advice for words, advice in _OF_DATABASES.items() if words in said]
        return " ".join([f"its database says {said}.", *fits[:1]])
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    said = f"{error.strerror or error}."
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return f"{said} {NO_ADDRESS}"
    return f"{said} {TAKEN}" if error.errno in (errno.EADDRINUSE, errno.EACCES) else said

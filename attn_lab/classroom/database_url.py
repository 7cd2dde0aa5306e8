"""Which database an instructor means: a file by its path, or another by its URL."""

import re
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

EXPECTED = "expected a file such as class.sqlite, or an URL that begins with postgresql+psycopg://"
DRIVER = "its driver is missing: pip install 'attn-lab[postgres]', begin with postgresql+psycopg://"
FILES = ("sqlite", "sqlite+pysqlite")
KINDS = (*FILES, "postgresql", "postgresql+psycopg", "postgresql+psycopg2")
_IS_URL = re.compile(r"[a-z][a-z0-9+]+:", re.IGNORECASE)  # one letter is a drive of Windows
_IN_MEMORY = (None, "", ":memory:")  # such a class would be lost with its process


def read_database(text: str) -> URL:
    """Returns the URL of the database that this text names.

    Raises: ValueError, without the password, for one that a class cannot use.

    >>> read_database("/tmp/class.sqlite").render_as_string()
    'sqlite:////tmp/class.sqlite'
    """
    if not _IS_URL.match(text):
        return URL.create("sqlite", database=str(Path(text).expanduser().absolute()))
    kind = text.partition(":")[0]
    refused = ValueError(f"--database: {EXPECTED}; got {kind}:…")
    try:
        url = make_url(text)
        if url.drivername not in KINDS or (kind in FILES and url.database in _IN_MEMORY):
            raise refused
        url.get_dialect().import_dbapi()
    except (ArgumentError, ValueError):
        raise refused from None
    except ImportError:
        raise ValueError(f"--database: {kind}: {DRIVER}") from None
    return url

"""Which files are attn_lab's own: no other file is ever moved, written to or deleted."""

from pathlib import Path

from attn_lab.record.paths import default_path
from attn_lab.record.tables import APPLICATION

# Both lie on the first page. SQLite keeps the application id at byte 68 of its header, and each
# table as it was made; the zero byte tells a database page from a text that quotes it.
_MARK, _MARK_AT = APPLICATION.to_bytes(4, "big"), 68
_TABLE = b"CREATE TABLE attempts (\n        id TEXT PRIMARY KEY, exercise TEXT NOT NULL"
_FIRST_PAGE = 4096


def is_marked(path: Path) -> bool:
    """Says whether a file, sound or damaged, carries what attn_lab writes; an empty one may."""
    with path.open("rb") as file:
        page = file.read(_FIRST_PAGE)
    marked = page[_MARK_AT : _MARK_AT + len(_MARK)] == _MARK
    return not page or marked or (_TABLE in page and b"\0" in page)


def may_move(damaged: Path) -> bool:
    """Says whether a damaged file may be set aside; in our own data folder, always."""
    return damaged == default_path() or is_marked(damaged)

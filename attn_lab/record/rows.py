"""A row of the file as a value, unless it is damaged in a way that SQLite does not notice."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from attn_lab.record.attempts import CONFIDENCES
from attn_lab.record.earlier_rows import moved


class DamagedRowError(sqlite3.DatabaseError):
    """A row does not hold what was once written; to be treated as any other damage of the file."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


def values(kind: type, names: list[str], found: sqlite3.Cursor) -> Iterator[Any]:
    """Gives each row, whose columns have these names, as a value of this kind.

    Raises: DamagedRowError at a row that no program of ours has written like that.
    """
    try:
        for row in found:
            pairs = zip(names, row, strict=True)
            yield kind(**moved({name: _READ.get(name, _text)(raw) for name, raw in pairs}))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise DamagedRowError(f"a damaged row: {error}") from None
    except sqlite3.OperationalError as error:
        if hasattr(error, "sqlite_errorcode"):
            raise
        raise DamagedRowError(str(error)) from None  # bytes that are not UTF-8 have no code


def _text(raw: Any) -> str:
    if not isinstance(raw, str):
        raise TypeError(f"expected text; got {raw!r}")
    return raw


def _text_or_none(raw: Any) -> str | None:
    return None if raw is None else _text(raw)


def _time(raw: Any) -> str:
    datetime.fromisoformat(raw).astimezone()
    return raw


def _confidence(raw: Any) -> str:
    if raw not in CONFIDENCES:
        raise ValueError(f"no confidence: {raw!r}")
    return raw


def _whole(raw: Any) -> int:
    if not isinstance(raw, int):
        raise TypeError(f"expected a whole number; got {raw!r}")
    return raw


_READ: dict[str, Callable[[Any], Any]] = {
    "answer": json.loads,
    "computed": json.loads,
    "seen": lambda raw: bool(_whole(raw)),
    "passed": lambda raw: bool(_whole(raw)),
    "round": _whole,
    "time": _time,
    "confidence": _confidence,
    "refusal": _text_or_none,
    "mistake_name": _text_or_none,
}

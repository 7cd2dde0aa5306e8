"""A request's body as plain data: whatever a database or a page could choke on is refused."""

from __future__ import annotations

import json
import math
import re
from typing import Any

LARGEST = 16 * 1024  # bytes
DEEPEST = 6
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class Malformed(ValueError):  # noqa: N818 - the name of a state, as HTTP has it
    """A body that stays wrong when it is sent again; the text may be shown to its sender."""


def read_body(raw: bytes) -> dict[str, Any]:
    """Returns the JSON object of a body.

    Raises: Malformed for anything but one flat enough, finite, plain-text JSON object.
    """
    try:
        text = raw.decode("utf-8")
        _shallow(text)
        body = json.loads(text, object_pairs_hook=_no_repeats)
    except (UnicodeDecodeError, RecursionError):
        raise Malformed("expected UTF-8 text that is not nested") from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed("expected one JSON object") from None
    if not isinstance(body, dict):
        raise Malformed("expected one JSON object")
    _plain(body)
    return body


def _shallow(text: str) -> None:
    depth = 0
    for character in _STRING.sub("", text):
        depth += (character in "[{") - (character in "]}")
        if depth > DEEPEST:
            raise Malformed("expected text that is not nested")


def _plain(value: Any) -> None:
    """Refuses what a database would: what became infinite, very large, or is no text."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for part in value:
            _plain(part)
    elif isinstance(value, str) and ("\0" in value or not _encodes(value)):
        raise Malformed("expected text without NUL and without half characters")
    elif isinstance(value, (int, float)) and not (abs(value) < 1e18 and math.isfinite(value)):
        raise Malformed("expected finite numbers of an ordinary size")


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("expected each field once")
    return found

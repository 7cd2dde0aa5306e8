"""What somebody writes in a field, as a number or a shape; what cannot be read is explained."""

import math
import re
from typing import Any

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
_NO_AXES = re.compile(r"(torch\.Size)?(\[\s*\]|\(\s*(\[\s*\]|\(\s*\))?\s*\))")

_LARGEST_SIZE = 2**63 - 1  # of any tensor
_TOO_LARGE = "The number is too large to be kept. Write a smaller one."
_WRITE_SIZES = "Write the sizes with commas; [] for a single number."

EMPTY = "Empty is not zero. Write 0 if you mean zero."


def number(entry: Any) -> float:
    """The number that an entry such as 0.25, 0,25 or 1/4 means.

    Raises: ValueError with a sentence to show beside the field.

    >>> number("1/4"), number("0,25"), number(" −2 ")
    (0.25, 0.25, -2.0)
    """
    if isinstance(entry, str):
        return _written(entry)
    if isinstance(entry, bool) or not hasattr(entry, "__float__"):
        raise ValueError(f"Expected a number such as 0.25 or 1/4; got {quoted(repr(entry))}.")
    try:
        return _finite(float(entry), entry)
    except OverflowError:  # an integer of more than 308 digits, too long to be repeated here
        raise ValueError(_TOO_LARGE) from None


def _written(entry: str) -> float:
    text = entry.strip().replace("−", "-")
    if not text:
        raise ValueError(EMPTY)
    above, line, below = text.partition("/")
    if not line:
        return _decimal(above, entry)
    divisor = _decimal(below, entry)
    if divisor == 0:
        raise ValueError(f"{quoted(entry.strip())} divides by zero. Write another number.")
    return _finite(_decimal(above, entry) / divisor, entry)


def _decimal(text: str, entry: str) -> float:
    text = text.strip().lower()
    if _THOUSANDS.fullmatch(text):
        whole, point = text.replace(",", ""), text.replace(",", ".", 1)
        meant = f"{whole} or {point}" if text.count(",") == 1 else whole
        raise ValueError(f"{quoted(entry.strip())} can be read in two ways. Write {quoted(meant)}.")
    text = text.replace(",", ".", 1)
    if not _NUMBER.fullmatch(text):
        raise ValueError(
            f"Expected a number such as 0.25, 0,25 or 1/4; got {quoted(entry.strip())}."
        )
    return _finite(float(text), entry)


def _finite(value: float, entry: Any) -> float:
    if not math.isfinite(value):
        raise ValueError(f"Expected a finite number; got {quoted(str(entry))}.")
    return value + 0.0  # a zero has no sign that could be meant


def sizes(entry: Any) -> list[int]:
    """The sizes that an entry such as "2, 8, 10" or [2, 8, 10] means.

    Raises: ValueError with a sentence to show beside the field.

    >>> sizes("[5, 4]"), sizes("5 × 4"), sizes("[]")
    ([5, 4], [5, 4], [])
    """
    if isinstance(entry, str):
        if not entry.strip():
            raise ValueError(f"Still empty. {_WRITE_SIZES}")
        text = entry.strip().removeprefix("torch.Size").strip("()[] ")
        parts: list[Any] = [part for part in re.split(r"[\s,;×x*]+", text) if part]
        if not parts and not _NO_AXES.fullmatch(entry.strip()):  # a lone sign is no shape
            raise ValueError(f"No size in “{quoted(entry.strip())}”. {_WRITE_SIZES}")
    else:
        parts = list(entry) if isinstance(entry, list | tuple) else [entry]
    found = [_size(part) for part in parts]
    if None in found:
        raise ValueError(
            f"Expected whole sizes with commas, such as 2, 3; got {quoted(str(entry))}."
        )
    return [size for size in found if size is not None]


def _size(part: Any) -> int | None:
    if isinstance(part, str):
        if not (part.isascii() and part.isdigit()):
            return None
        if len(part) > len(str(_LARGEST_SIZE)):
            raise ValueError(_TOO_LARGE)
        part = int(part)
    if isinstance(part, bool) or not hasattr(part, "__index__"):
        return None
    size = part.__index__()
    if size > _LARGEST_SIZE:
        raise ValueError(_TOO_LARGE)
    return size if size >= 0 else None


_LONGEST = 60  # about a line beside a field


def quoted(text: str) -> str:
    """What somebody wrote, to stand in a sentence: whole where it is short, else its beginning.

    >>> quoted("1,5,2"), len(quoted("9" * 10_000))
    ('1,5,2', 60)
    """
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

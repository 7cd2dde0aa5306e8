"""One way to print a number, so that a cell, a table and a sentence never disagree."""

import math
from collections.abc import Iterable, Sequence
from typing import SupportsFloat

BLOCKED = "–"
MINUS = "−"  # read aloud as "minus"; a hyphen is skipped by screen readers
_TOO_WIDE = {0: 1e15}  # from here on a power of ten is written; whole numbers stay whole


def number(x: SupportsFloat | None, places: int) -> str:
    """`x` rounded to places: never -0.00, "–" for None (blocked), "nan" left visible.

    >>> number(-0.001, 2), number(None, 2), number(float("-inf"), 2), number(float("nan"), 2)
    ('0.00', '–', '−∞', 'nan')
    >>> number(4096**2, 0), number(4096**2, 2)  # a whole number keeps all its digits
    ('16777216', '1.68e+07')
    """
    if x is None:
        return BLOCKED
    value = float(x)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    kind = "e" if abs(value) >= _TOO_WIDE.get(places, 1e7) else "f"
    text = f"{value:.{places}{kind}}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def plain(x: float, digits: int) -> str:
    """`x` with so many digits that count, and no zero at the end that says nothing.

    >>> plain(0.25, 4), plain(-2 / 3, 4), plain(4096.0, 4), plain(1e-5, 4)
    ('0.25', '−0.6667', '4096', '1e−05')
    """
    return f"{x:.{digits}g}".replace("-", MINUS) if math.isfinite(x) else number(x, 0)


def two(x: SupportsFloat | None) -> str:
    """`x` with two decimals, as cells of pictures print it.

    >>> two(0.6697615493266569)
    '0.67'
    """
    return number(x, 2)


def three(x: SupportsFloat | None) -> str:
    """`x` with three decimals, as tables print it.

    >>> three(0.6697615493266569)
    '0.670'
    """
    return number(x, 3)


def row(
    values: Iterable[SupportsFloat],
    places: int = 2,
    *,
    allowed: Iterable[SupportsFloat] | None = None,
) -> str:
    """One row of numbers with a space between them; blocked places print as "–".

    Shapes: values [T_k], allowed [T_k].

    >>> row([0.670, 0.330, 0.0], 3, allowed=[True, True, False])
    '0.670 0.330 –'
    """
    shown: list[SupportsFloat | None] = list(values)
    if allowed is not None:
        legal = [bool(a) for a in allowed]
        if len(legal) != len(shown):
            raise ValueError(
                f"allowed needs one True or False per value, {len(shown)}; got {len(legal)}. "
                "Pass the same row of the mask, for example allowed=allowed[0]."
            )
        shown = [x if a else None for x, a in zip(shown, legal, strict=True)]
    return " ".join(number(x, places) for x in shown)


def decimals(values: Sequence[float]) -> int:
    """How many decimals a result is printed with, the same in its table and in its sentences.

    >>> decimals([4, 16.0]), decimals([0.67, 0.33]), decimals([66.976, 1.0])
    (0, 3, 2)
    """
    finite = [abs(value) for value in values if math.isfinite(value)]
    if all(abs(value - round(value)) < 1e-9 for value in finite):
        return 0  # counts; the hair is what another machine may add to a 1
    return 2 if max(finite) >= 10 else 3


def short(value: float) -> str:
    """A number as it was meant, without the digits that a division adds.

    >>> short(0.1 + 0.2), short(2.0)
    ('0.3', '2')
    """
    return number(value, 0) if float(value).is_integer() else plain(value, 4)

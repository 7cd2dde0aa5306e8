"""Numbers that somebody typed into an explorer, read as predictions are."""

from attn_lab.show.entries import number


def typed_number(text: str, name: str, above: float | None = None) -> float:
    """Return the number that was typed: 0.25, 0,25, 1/4 and −2 are all understood.

    Raises: ValueError with what to write instead.

    >>> typed_number("1/4", "τ"), typed_number(" 0,25", "τ"), typed_number("−2", "q")
    (0.25, 0.25, -2.0)
    """
    wanted = f"{name} needs a number" + ("" if above is None else f" above {above:g}")
    advice = "Write for example 0.25 or 1/4."
    if not text.strip():
        raise ValueError(f"{wanted}; got nothing. {advice}")
    try:
        value = number(text)
    except ValueError as problem:
        raise ValueError(f"{name}: {problem}") from None
    if above is not None and value <= above:
        raise ValueError(f"{wanted}; got {text.strip()}. {advice}")
    return value


def typed_vector(text: str, name: str, size: int) -> list[float]:
    """Return the numbers that were typed, separated by spaces, commas or semicolons.

    Raises: ValueError when they are not `size` numbers.

    >>> typed_vector("1, 0", "query", 2), typed_vector("1/4 −2", "query", 2)
    ([1.0, 0.0], [0.25, -2.0])
    """
    parts = text.replace(",", " ").replace(";", " ").split()
    if len(parts) != size:
        raise ValueError(
            f"{name} needs {size} number{'s' if size > 1 else ''}; got {len(parts) or 'nothing'}"
            f"{': ' if parts else ''}{' '.join(parts)}. "
            "Put a space between numbers and write decimals with a point."
        )
    return [typed_number(part, name) for part in parts]

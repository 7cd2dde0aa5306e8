"""What somebody wrote, quoted back: whole where it is short, else its beginning."""

_LONGEST = 60  # about a line beside a field


def quoted(text: str) -> str:
    """Returns a text to stand inside a sentence.

    >>> quoted("1,5,2"), len(quoted("9" * 10_000))
    ('1,5,2', 60)
    """
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"

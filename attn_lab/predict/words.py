"""What a learner writes in their own words, as text that every file and page can hold."""

from typing import Any

from attn_lab.show.entries import quoted


def words(written: Any, name: str) -> str:
    """Returns what was written without the space around it; None is nothing written.

    Half a character, which some programs leave when they cut a text, becomes "�".
    Raises: ValueError for anything that is not text.

    >>> words(" only key 1 ", "because"), words(None, "because")
    ('only key 1', '')
    """
    if written is None:
        return ""
    if not isinstance(written, str):
        raise ValueError(f'{name}: expected text, such as {name}="…"; got {quoted(repr(written))}.')
    whole = written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.strip()

"""What a page may say about a room without saying it about one person."""

HIDE_BELOW = 3  # an answer of one or two people is not shown as theirs
SPLIT_FROM = 20  # how sure the room was is said from this many answers on


def shown(count: int, *, hide_below: int = HIDE_BELOW) -> int | None:
    """Returns the count where it may be shown, None where it stands for too few people.

    >>> shown(3), shown(2), shown(0)
    (3, None, 0)
    """
    return None if 0 < count < hide_below else count


def in_words(count: int | None) -> str:
    """Returns a count as it is written, `None` being what `shown` hides.

    >>> in_words(shown(3)), in_words(shown(2))
    ('3', 'under 3')
    """
    return f"under {HIDE_BELOW}" if count is None else str(count)


def may_split(answered: int) -> bool:
    """Returns whether a room of this size may be split by how sure it was.

    >>> may_split(20), may_split(19)
    (True, False)
    """
    return answered >= SPLIT_FROM

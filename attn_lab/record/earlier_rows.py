"""Rows that an earlier attn_lab wrote: what it said in a sentence becomes a field.

It kept a mistake's name only inside the grader's message, and a class's refusal behind a colon.
Both columns are NULL in its rows, and in no others: only those are moved, as they are read.
"""

import re
from typing import Any

_NAMED = re.compile("known mistake, “([^”]+)”")


def moved(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the fields that came later.

    >>> moved({"sent": "refused: it is too late"})
    {'sent': 'refused', 'refusal': 'it is too late'}
    """
    if "sent" in row and row.get("refusal") is None:
        sent, _, refusal = row["sent"].partition(": ")
        return {**row, "sent": sent, "refusal": refusal}
    if "mistake" in row and row.get("mistake_name") is None:
        said = _NAMED.search(row["message"])
        return {**row, "mistake_name": said[1] if said else ""}
    return row

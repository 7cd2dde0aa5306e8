"""Whether the store could be made where it is not yet, found out without making it."""

import os
import tempfile
from pathlib import Path

from attn_lab.record.troubles import explain


def trouble_making(path: Path) -> str:
    """Returns why a file that is not there could not be made, "" where it is or could be."""
    if os.path.exists(path):
        return ""
    nearest = next(each for each in path.parents if os.path.exists(each))
    try:
        with tempfile.TemporaryFile(dir=nearest):
            return ""
    except OSError as error:
        return explain(error, path)

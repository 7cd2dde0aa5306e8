"""Where the store lives: in the user's data folder, or where ATTN_LAB_STORE says."""

import os
from pathlib import Path

from platformdirs import user_data_path


def store_path() -> Path:
    """Returns the absolute path of the store's file, which need not exist yet.

    Raises: ValueError where ATTN_LAB_STORE begins with the home of a user who is not here.
    """
    return named_path("ATTN_LAB_STORE") or default_path()


def default_path() -> Path:
    """Returns where the store lies while ATTN_LAB_STORE is not set."""
    return user_data_path("attn_lab", appauthor=False) / "predictions.sqlite"


def named_path(variable: str) -> Path | None:
    """Returns the absolute path that an environment variable names, None where it names none.

    Raises: ValueError where it begins with the home of a user who is not here.
    """
    chosen = os.environ.get(variable, "").strip()
    if not chosen:
        return None
    try:
        return Path(chosen).expanduser().absolute()
    except RuntimeError:  # what pathlib raises for a home that it cannot find
        raise ValueError(
            f"{variable} needs a path on this computer; got {chosen!r}, and there is no home "
            f"folder for {Path(chosen).parts[0]}. Set {variable} to a whole path, or unset it."
        ) from None

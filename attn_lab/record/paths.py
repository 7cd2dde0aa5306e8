"""Where the store lives: in the user's data folder, or where ATTN_LAB_STORE says."""

import os
from pathlib import Path

from platformdirs import user_data_path


def store_path() -> Path:
    """Returns the absolute path of the store's file, which need not exist yet."""
    chosen = os.environ.get("ATTN_LAB_STORE", "").strip()
    if chosen:
        return Path(chosen).expanduser().absolute()
    return user_data_path("attn_lab", appauthor=False) / "predictions.sqlite"

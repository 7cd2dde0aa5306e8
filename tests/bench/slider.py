"""A slider step to the painted map, against plain `interact` and pyplot, in a real browser."""

import shutil


def slider_ratio() -> tuple[float | None, str]:
    """The ratio, or None and the reason why it was not measured."""
    if shutil.which("chromium") is None:
        return None, "no Chromium on this machine"
    return None, "the browser part is still to be written"

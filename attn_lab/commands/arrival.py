"""What is said when the notebooks are copied: what came, and that the rest was kept."""

from collections.abc import Mapping
from pathlib import Path

from attn_lab.commands.learners_folder import copy_notebooks


def arrival_lines(shipped: Mapping[str, str], home: Path) -> list[str]:
    """Copy, and return what the learner should know; it is never nothing."""
    lines = copy_notebooks(shipped, home)
    if not lines:
        return ["Your notebooks are kept as you left them; none is new or updated."]
    kept = "Your other notebooks are kept as you left them."
    return [*lines, kept] if len(lines) < len(shipped) else lines

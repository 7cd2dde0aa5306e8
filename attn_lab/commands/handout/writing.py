"""The handout's pages written into a folder: all of them or none, over no file of anybody else."""

from collections.abc import Mapping
from pathlib import Path
from uuid import uuid4

MARK = '<meta name="generator" content="attn-lab handout">'  # in every page, by page.html


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Write each page under its name; a page of an earlier handout is replaced.

    Raises: ValueError that names what is in the way, before anything is written; OSError where
    there is no room, and then every page is as it was.
    """
    targets = {folder / name: page for name, page in pages.items()}
    if foreign := [str(path) for path in targets if path.exists() and not _is_page(path)]:
        raise ValueError(
            f"folder: expected one without other files of these names; got {folder}, and "
            f"{', '.join(foreign)} is no page of a handout. Nothing was written. "
            "Name another folder, or move that away."
        )
    parts: dict[Path, Path] = {}
    try:
        for path, page in targets.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            parts[path] = path.with_name(f".{path.name}.{uuid4().hex}.part")
            parts[path].write_text(page, encoding="utf-8")
        for path, part in parts.items():
            part.replace(path)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _is_page(path: Path) -> bool:
    return path.is_file() and MARK.encode() in path.read_bytes()

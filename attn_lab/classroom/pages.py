"""The pages of desk and stage: files of this package, the same for everybody, without content."""

from __future__ import annotations

from pathlib import Path

from attn_lab.classroom.gate import InstructorReply

FOLDER = Path(__file__).parent / "html"
INSIDE = ("desk", "stage")
KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


class Page(InstructorReply):
    """One file; those without the cookie get the page that says how to come in."""

    route = "page"
    needs_cookie = False  # nothing of the class is in these files

    async def get(self, name: str) -> None:
        if name.removesuffix(".html") in INSIDE and not await self.has_come_in():
            name = "enter"
        path = FOLDER / (name if "." in name else f"{name}.html")
        self.set_header("Content-Type", f"{KINDS[path.suffix]}; charset=UTF-8")
        self.finish(path.read_bytes())


def page_routes() -> list[tuple[str, type[Page]]]:
    """Returns one route for each file that exists, so that no path is ever put together."""
    files = "|".join(path.name.replace(".", r"\.") for path in sorted(FOLDER.glob("*.*")))
    return [(rf"/({files}|desk|stage|enter)", Page)]

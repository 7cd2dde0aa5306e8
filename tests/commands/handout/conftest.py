"""The reference edition, its handout, and the words of a page."""

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from attn_lab import cli
from attn_lab.commands.handout.notebook_pages import read_editions
from attn_lab.commands.learners_folder import shipped_folder


@pytest.fixture(scope="session")
def editions() -> dict[str, dict[str, Any]]:
    """The notebooks of the reference edition by name."""
    return read_editions(shipped_folder())


@pytest.fixture(scope="session")
def pages(tmp_path_factory) -> dict[str, str]:
    """The handout by file name, written once by the command itself."""
    folder = tmp_path_factory.mktemp("handout") / "pages"
    assert cli.main(["handout", str(folder)]) == 0
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.html"))
    }


class Page(HTMLParser):
    """The tags and the words of a page, its style left out."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] != "style":
            self.words.append(data)

    def text(self) -> str:
        """The words of the page, one space between them."""
        return " ".join(" ".join(self.words).split())

    def count(self, tag: str, **attributes: str) -> int:
        """How many tags have these attributes."""
        return sum(name == tag and attributes.items() <= found.items() for name, found in self.tags)


@pytest.fixture(scope="session")
def read() -> Callable[[str], Page]:
    """Takes a page apart."""
    return Page

"""The first page of the handout: what the others are, and who may have them."""

from collections.abc import Mapping
from html import escape

from attn_lab.commands.handout_pages import title
from attn_lab.commands.printed_pages import page

BEFORE = "For learners, before they predict: no answers"
AFTER = "For learners, once they have predicted: these hold the answers"
ALONE = "For you alone: the answers, and how to lead a class"
OF_THEIR_OWN = {"worksheet.html": ("Worksheet", BEFORE), "answer_key.html": ("Answer key", ALONE)}


def index_page(pages: Mapping[str, str]) -> str:
    """Return the page that links to the others, by file name, under their titles."""
    groups: dict[str, list[str]] = {BEFORE: [], AFTER: [], ALONE: []}
    for name, html in pages.items():
        said, group = OF_THEIR_OWN.get(name) or (_numbered(name, title(html)), _group(name))
        groups[group].append(f'<li><a href="{escape(name)}">{escape(said)}</a></li>')
    lists = "\n".join(
        f"<h2>{escape(group)}</h2>\n<ul>{''.join(links)}</ul>"
        for group, links in groups.items()
        if links
    )
    return page("attn_lab: handout", f"<h1>attn_lab: the course on paper</h1>\n{lists}", "index")


def _group(name: str) -> str:
    return ALONE if name.startswith("teaching/") else AFTER


def _numbered(name: str, said: str) -> str:
    """Return the title with the notebook's number before it, and what is a run sheet named so."""
    sheet = name.startswith("teaching/")
    number = name.removeprefix("teaching/")[:2]
    if not number.isdecimal():
        return said
    said = said if said.startswith(number) else f"{number} {said}"
    return f"Run sheet {said}" if sheet else said

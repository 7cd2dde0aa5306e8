"""One HTML page that needs nothing else: title, language, style; to read, to print."""

import re
from functools import cache
from html import escape
from pathlib import Path

STYLE = Path(__file__).with_name("printed_pages.css")

# What a browser fetches by itself; a link that somebody has to click is none of these.
FETCHED = re.compile(
    r"""<(?:script|link|iframe|object|embed|base)\b"""
    r"""|\b(?:src|srcset|poster|data)\s*=\s*["']?(?!data:)[^"'\s>]"""
    r"""|@import|url\(\s*["']?(?!data:|\#)""",
    re.IGNORECASE,
)


def page(title: str, body: str, kind: str = "") -> str:
    """Return a whole page; `kind` is the class of its body, for the style.

    >>> page("Heads", "<h1>Heads</h1>").splitlines()[1]
    '<html lang="en">'
    """
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style()}</style>\n</head>\n"
        f'<body class="{escape(kind)}">\n<main>\n{body}\n</main>\n</body>\n</html>\n'
    )


@cache
def style() -> str:
    """Return the style of every page, code colours included."""
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

    return (
        STYLE.read_text(encoding="utf-8")
        + HtmlFormatter(style="bw").get_style_defs(".highlight")
        + "\n"
    )


def fetched(text: str) -> list[str]:
    """Return what in a page would make a browser ask another machine or another file.

    >>> fetched('<a href="https://arxiv.org">paper</a><img src="data:image/png;base64,AA">')
    []
    >>> fetched('<img src="https://example.org/a.png">')
    ['src="h']
    """
    return FETCHED.findall(text)

"""Templates filled with data: HTML for the handout, Markdown for the run sheets."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attn_lab.show.prose import prose

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"


def filled(template: str, **data: Any) -> str:
    """A template's text with its data; in HTML every text is escaped.

    Raises: jinja2.UndefinedError for data that the template needs and that is not given.
    """
    return _environment().get_template(template).render(data)


def cells(texts: Sequence[Any]) -> str:
    """A row of a Markdown table.

    >>> cells(["a | b", 2.5, ""])
    '| a \\\\| b | 2.5 | |'
    """
    shown = [f"{each:g}" if isinstance(each, int | float) else each for each in texts]
    written = (" ".join(each.split()).replace("|", r"\|") for each in shown)
    return "|" + "".join(f" {each} |" if each else " |" for each in written)


def code(text: str) -> str:
    """An id as Markdown shows code."""
    return f"`{text}`"


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cells": cells, "code": code, "prose": _prose}
    environment.globals["style"] = Markup(_style())
    return environment


def _prose(text: str) -> "Markup":
    from markupsafe import Markup

    return Markup(prose(text))


def _style() -> str:
    """The style of every page, code colours included."""
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]

    colours = HtmlFormatter(style="bw").get_style_defs(".highlight")
    return f"{(TEMPLATES / 'page.css').read_text(encoding='utf-8')}{colours}\n"

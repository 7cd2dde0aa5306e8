"""Plain text of the course, such as a prompt or an explanation, as HTML."""

from attn_lab.show.as_written import in_html


def prose(text: str) -> str:
    """Plain text as HTML: blank lines part paragraphs, `marks` are code."""
    return "".join(
        f"<p>{_lines(in_html(part.strip()))}</p>" for part in text.split("\n\n") if part.strip()
    )


def inline(text: str) -> str:
    """A line of plain text as HTML, with no paragraph around it: `marks` are code."""
    return _code(in_html(text))


def _lines(text: str) -> str:
    return _code(text).replace("\n", "<br>").replace("  ", "&nbsp; ")


def _code(text: str) -> str:
    parts = text.split("`")
    if len(parts) % 2 == 0:  # an odd mark out: leave the text as it is
        return text
    return "".join(f"<code>{each}</code>" if n % 2 else each for n, each in enumerate(parts))

"""The run sheets as pages to print, where they are: a clone has them, an installed package not."""

from pathlib import Path

from attn_lab.commands.handout_pages import title
from attn_lab.commands.printed_pages import page


def sheet_pages(folder: Path) -> dict[str, str]:
    """Return one page for each Markdown file of the folder, by its name under teaching/."""
    return {
        f"teaching/{path.stem}.html": sheet_page(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.md"))
    }


def sheet_page(markdown: str) -> str:
    """Return a run sheet as a page; ids keep their code form, tables keep their headers."""
    import mistune

    body = str(mistune.create_markdown(plugins=["table"])(markdown))
    body = body.replace("<th>", '<th scope="col">')
    return page(title(body), body, "sheet")

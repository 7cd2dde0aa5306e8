"""A notebook of the reference edition as one page, every result shown, nothing fetched."""

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

from attn_lab.commands.handout.rendering import filled
from attn_lab.course.editions import REVEAL_MIME, text_of
from attn_lab.course.questions import notebook, question

_ASK = re.compile(r'^\w+ = ask\("([^"]+)"\)', re.MULTILINE)


def read_editions(folder: Path) -> dict[str, dict[str, Any]]:
    """The notebooks of the reference edition by name, in the order of the course.

    Raises: ValueError when there is none, which means a damaged installation.
    """
    paths = sorted(folder.glob("*.ipynb"))
    if not paths:
        raise ValueError(f"no notebooks in {folder}. Install attn-lab again.")
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def notebook_page(name: str, nb: dict[str, Any]) -> str:
    """The page; a prediction stands there as its question, a folded result unfolded."""
    # basic: the only template that brings no scripts, so nothing is asked of a network
    import nbformat
    from markupsafe import Markup
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(
        template_name="basic",
        exclude_anchor_links=True,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
    )
    readable = nbformat.reads(json.dumps(for_reading(nb)), as_version=4)
    body, _ = exporter.from_notebook_node(readable)
    title = f"{notebook(name[:2]).title} (attn_lab, with results)"
    return filled("page.html", title=title, kind="handout", body=Markup(body))


def for_reading(nb: dict[str, Any]) -> dict[str, Any]:
    """The notebook as it is read on paper.

    A prediction's question is its output, a result is the computed value alone, nothing is
    folded, and a link to another notebook leads to its page.
    """
    nb = deepcopy(nb)
    for cell in nb["cells"]:
        cell["metadata"] = {}
        source = text_of(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = _unfolded(_linked(source))
            continue
        cell["outputs"] = [_on_paper(each) for each in cell.get("outputs", [])]
        if asked := [question(id) for id in _ASK.findall(source)]:
            html = "".join(filled("asked.html", asked=each) for each in asked)
            cell["outputs"] = [_html(html)]
    return nb


def cells_without_run(nb: dict[str, Any]) -> int:
    """How many code cells have no execution count, so that their results are missing."""
    code = [cell for cell in nb["cells"] if cell["cell_type"] == "code"]
    return sum(cell.get("execution_count") is None for cell in code)


def _on_paper(output: dict[str, Any]) -> dict[str, Any]:
    data = output.get("data", {})
    if REVEAL_MIME in data:  # without the bare line that stands for it where it is folded away
        return _html(_unfolded(text_of(data["text/html"]).partition("\n")[2]))
    if "text/html" in data:
        return _html(_unfolded(text_of(data["text/html"])))
    return output


def _linked(source: str) -> str:
    """A Markdown text whose links to other notebooks lead to their pages."""
    before, *links = source.split("](")
    for link in links:
        target, bracket, after = link.partition(")")
        target = target if "://" in target else target.replace(".ipynb", ".html")
        before = f"{before}]({target}{bracket}{after}"
    return before


def _unfolded(text: str) -> str:
    """A text whose details stand open, because paper cannot unfold."""
    return text.replace("<details open", "<details").replace("<details", "<details open")


def _html(html: str) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}

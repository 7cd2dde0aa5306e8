"""What a notebook computes and must not show before the prediction: numbers and sentences."""

import re
from html import unescape
from pathlib import Path
from typing import Any

from attn_lab.course.editions import is_gated, text_of
from attn_lab.course.kinds import Question
from attn_lab.course.questions import notebook, notebook_numbers
from attn_lab.predict.ask import AFTER
from attn_lab.predict.card import TITLE
from attn_lab.predict.closing import SUMMARY
from tests.helpers.lab_page import LabPage
from tests.helpers.notebook_files import read

NUMBER = re.compile(r"(?<![\w.])[-−]?\d+\.\d{2,}(?![\w%]|\.\d)")
TITLES = {TITLE, AFTER, SUMMARY}  # what stays in sight of what is folded
# All that the page holds, in sight or not; the numbers in JupyterLab's own icons are not ours.
PAGE = """() => {
  const page = document.body.cloneNode(true);
  page.querySelectorAll('script, style, svg[data-icon]').forEach(each => each.remove());
  return document.body.innerText + page.outerHTML;
}"""
PLACEHOLDER = "0.25 or 1/4"  # stands in every empty field for a number
LONG = 25  # characters: a shorter line is a label, not a finding


def hidden_values(path: Path) -> set[str]:
    """What the gated outputs of a stored notebook hold and nothing public does."""
    cells = read(path)["cells"]
    gated = "\n".join(_shown(cell) for cell in cells if is_gated(cell))
    public = "\n".join(
        text_of(cell["source"]) + "\n" + ("" if is_gated(cell) else _shown(cell)) for cell in cells
    )
    if path.name[:2] in notebook_numbers():
        lesson = notebook(path.name[:2])
        public += "\n".join(_asked(question) for question in lesson.questions)
        gated += "\n".join([*lesson.summary, *map(_explained, lesson.questions)])
    known = set(NUMBER.findall(public))
    numbers = {number for number in NUMBER.findall(gated) if number not in known}
    lines = {_plain(line) for line in gated.splitlines()} - TITLES
    return numbers | {line for line in lines if len(line) >= LONG and line not in _plain(public)}


def given_away(lab: LabPage, hidden: set[str]) -> set[str]:
    """Which of the hidden values the page holds, its table of contents included."""
    lab.command("toc:show-panel")
    lab.page.locator(".jp-TableOfContents-tree").wait_for()
    return found(hidden, lab.page.evaluate(PAGE))


def found(hidden: set[str], text: str) -> set[str]:
    """Which of the hidden values stand in a text; a number only as a whole."""
    numbers, flat = set(NUMBER.findall(text)), _plain(text)
    return {
        each for each in hidden if (each in numbers if NUMBER.fullmatch(each) else each in flat)
    }


def _shown(cell: dict[str, Any]) -> str:
    """All text that a cell's outputs hold, markup taken off."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {"text/plain": output.get("text", "")})
        texts += [text_of(value) for mime, value in data.items() if mime.startswith("text/")]
    return "\n".join(unescape(re.sub(r"<[^>]*>", "\n", text)) for text in texts)


def _asked(question: Question) -> str:
    """What a learner reads before answering."""
    options = question.on_paper().options
    names = (" ".join(getattr(question, each, ())) for each in ("labels", "rows", "columns"))
    return "\n".join([question.prompt, PLACEHOLDER, *options, *names])


def _explained(question: Question) -> str:
    """What a learner reads afterwards."""
    return "\n".join([question.explanation, *(each.sentence for each in question.named)])


def _plain(text: str) -> str:
    return " ".join(unescape(text).replace("`", "").split())

"""Whether a form or a card stands whole in view once its cell was run."""

from typing import Any

from tests.helpers.lab_page import CELLS, LabPage
from tests.helpers.predictions import Prediction, wrong_answer

TALLEST = 420  # pixels, of a card at 1366 × 850
# The panel's box in the notebook's, once it stands still: top, bottom, height, cut at the side.
STANDS = """css => new Promise(done => {
  let before = '', same = 0;
  const look = () => {
    const panel = [...document.querySelectorAll(css)].pop();
    const page = document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect();
    const box = panel?.getBoundingClientRect();
    const now = box && JSON.stringify([box.top - page.top, page.bottom - box.bottom, box.height,
                                       panel.scrollWidth > panel.clientWidth + 1]);
    same = now && now === before ? same + 1 : 0;
    before = now;
    if (same > 12) done(JSON.parse(now)); else requestAnimationFrame(look);
  };
  look();
})"""
ACTIVATE = f"""id => {{
  const notebook = jupyterapp.shell.currentWidget.content;
  notebook.deselectAll();
  notebook.mode = 'command';
  notebook.activeCellIndex = {CELLS}.findIndex(c => c.model.id === id);
  notebook.activeCell.node.focus();
}}"""


def run_and_look(lab: LabPage, cell: str, css: str) -> dict[str, Any]:
    """Press Shift+Enter in a cell, and measure its panel once it stands still."""
    lab.page.evaluate(ACTIVATE, cell)
    lab.page.keyboard.press("Shift+Enter")
    lab.idle()
    lab.outputs(cell).locator(css).wait_for()
    top, below, height, cut = lab.page.evaluate(STANDS, css)
    return {"top": top, "below": below, "height": height, "cut": cut}


def commit_wrong(lab: LabPage, asked: Prediction) -> None:
    """Commit a wrong answer in code, as the fastest way to a card."""
    question = asked.question
    answer = wrong_answer(question)
    lab.python(f"{question.variable}.commit({answer!r}, 'certain', 'I think so')")


def faults(seen: dict[str, dict[str, Any]]) -> list[str]:
    """What is not whole in view, or is cut at the side."""
    return [
        f"{name}: {each}"
        for name, each in seen.items()
        if each["top"] < -1 or each["below"] < -1 or each["cut"]
    ]

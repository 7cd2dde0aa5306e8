"""Every form and every card of the course, in JupyterLab's default settings: whole in view."""

import os
from pathlib import Path
from typing import Any

import pytest

from attn_lab.commands.learners_folder import shipped_folder
from tests.helpers.lab_page import CELLS, LabPage
from tests.helpers.predictions import Prediction, predictions, wrong_answer

TALLEST = 420  # pixels, of a card at 1366 × 850
NOTEBOOKS = sorted(path.name for path in shipped_folder().glob("*.ipynb"))
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


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_form_and_every_card_stands_whole_in_view_after_shift_enter(
    lab, own_copy, name, shots
):
    lab.page.set_viewport_size({"width": 1366, "height": 850})
    lab.page.evaluate("() => jupyterapp.shell.expandLeft()")
    lab.open(own_copy(name))
    lab.run_all()
    forms, cards = {}, {}
    for asked in predictions(shipped_folder() / name):
        id = asked.question.id
        css = f".attn-panel.attn-id-{id.replace('/', '-')}"
        forms[id] = run_and_look(lab, asked.ask, css)
        commit_wrong(lab, asked)
        cards[id] = run_and_look(lab, asked.reveal, f"{css}-card")
        if "ATTN_LAB_SHOTS" in os.environ:
            lab.page.screenshot(path=Path(shots) / f"card-{id.replace('/', '-')}.png")
    print({id: round(each["height"]) for id, each in cards.items()})
    lab.page.set_viewport_size({"width": 1280, "height": 1000})
    assert faults(forms) == [] and faults(cards) == []
    assert {id: each["height"] for id, each in cards.items() if each["height"] > TALLEST} == {}

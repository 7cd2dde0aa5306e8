"""Notebook 05 in Firefox: predicted by mouse and keyboard, compared, explored, and kept."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from attn_lab.commands.learners_folder import shipped_folder
from tests.helpers.firefox import Firefox, firefox
from tests.helpers.lab_page import CELLS, CLOSE, COUNTED, IDLE, KERNEL, READY, UNCOUNT
from tests.helpers.lab_server import TOKEN
from tests.helpers.predictions import BECAUSE, predictions

PROGRAM = shutil.which("firefox-esr") or shutil.which("firefox")
NAME = "05_mask_and_temperature.ipynb"
PREDICTIONS = {each.question.id: each for each in predictions(shipped_folder() / NAME)}
CHOICE = PREDICTIONS["05/can-key-3-lead"]
NUMBERS = PREDICTIONS["05/first-row"]
OPEN = """async path => {
  await jupyterapp.restored;
  await jupyterapp.commands.execute('docmanager:open', {path});
}"""
RUN_ALL = "() => jupyterapp.commands.execute('notebook:run-all-cells').then(() => true)"
ACTIVATE = f"""id => {{
  const notebook = jupyterapp.shell.currentWidget.content;
  notebook.mode = 'command';
  notebook.activeCellIndex = {CELLS}.findIndex(c => c.model.id === id);
  notebook.activeCell.node.focus();
}}"""
OPEN_GATES = f"""async () => (await {KERNEL}.requestExecute(
  {{code: "import os; os.environ['ATTN_LAB_REVEAL'] = 'always'"}}).done).content.status"""
TEXT = "css => document.querySelector(css)?.innerText"
# Is the panel whole in the notebook's window, and nothing of it cut at the side?
WHOLE = """css => {
  const panel = document.querySelector(css);
  const page = document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect();
  const box = panel?.getBoundingClientRect();
  return box?.height > 100 && box.top >= page.top - 1 && box.bottom <= page.bottom + 1
    && panel.scrollWidth <= panel.clientWidth + 1;
}"""

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Firefox on this machine")


@pytest.fixture(scope="module")
def five(shared_lab, own_copy, server, tmp_path_factory) -> Iterator[Firefox]:
    """Firefox at a learner's copy of notebook 05, run once; the tests go through it in order."""
    shared_lab.fresh()
    path = own_copy(NAME)
    with firefox(str(PROGRAM), tmp_path_factory.mktemp("firefox") / "profile") as page:
        page.go(f"{server.address}/lab/workspaces/firefox?reset&token={TOKEN}")
        page.wait("() => globalThis.jupyterapp?.shell != null")
        page.call(OPEN, path)
        page.wait(READY, path)
        page.wait(IDLE)
        page.call(RUN_ALL)
        page.wait(IDLE)
        yield page
        page.call(CLOSE)
        server.await_no_kernel()
    shared_lab.fresh()


def panel(id: str, more: str = "") -> str:
    return f".attn-panel.attn-id-{id.replace('/', '-')}{more}"


def run(page: Firefox, cell: str) -> None:
    """Press Shift+Enter in a cell."""
    page.wait(IDLE)
    page.call(ACTIVATE, cell)
    page.call(UNCOUNT, cell)
    page.shift_enter()
    page.wait(COUNTED, cell)
    page.wait(IDLE)


def test_numbers_are_typed_committed_and_compared(five, shots):
    form = panel("05/first-row")
    run(five, NUMBERS.ask)
    five.wait(WHOLE, form)
    five.click(f"{form} input.attn-number")
    five.keys("0,266", "Tab", "0.131", "Tab", "0.539", "Tab", "0.065")
    five.click(f"{form} .attn-segments label:last-child")
    five.click(f"{form} input.attn-text")
    five.keys(BECAUSE)
    five.shot(shots / "firefox-form.png")
    five.click(f"{form} .attn-commit")
    five.wait(f"() => document.querySelector('{form} .attn-again') != null")
    assert "0.266" in five.call(TEXT, form) and "certain" in five.call(TEXT, form)
    run(five, NUMBERS.reveal)
    card = panel("05/first-row", "-card")
    five.wait(WHOLE, card)
    five.shot(shots / "firefox-card.png")
    assert five.call(TEXT, f"{card} .attn-chip") and "0.266" in five.call(TEXT, card)


def test_a_choice_is_made_with_the_arrow_keys(five, shots):
    form = panel("05/can-key-3-lead")
    run(five, CHOICE.ask)
    five.wait(WHOLE, form)
    five.click(f"{form} .attn-options label")
    five.keys("ArrowRight")
    five.wait(f"() => document.querySelectorAll('{form} .attn-options input')[1].checked")
    five.click(f"{form} .attn-segments label")
    five.click(f"{form} .attn-commit")
    five.wait(f"() => document.querySelector('{form} .attn-again') != null")
    run(five, CHOICE.reveal)
    five.wait(WHOLE, panel("05/can-key-3-lead", "-card"))
    five.shot(shots / "firefox-choice.png")


def test_the_explorer_follows_the_slider(five, shots):
    assert five.call(OPEN_GATES) == "ok"
    run(five, "explorer")
    slider = ".attn-explore input[type=range]"
    five.wait(f"() => document.querySelector('{slider}') != null")
    before = five.wait(TEXT, ".attn-explore .attn-result")
    five.call(f"() => document.querySelector('{slider}').focus()")
    five.keys("ArrowRight")
    after = five.wait(
        "([css, before]) => (t => t !== before && t)(document.querySelector(css).innerText)",
        [".attn-explore .attn-result", before],
    )
    assert "τ = 1:" in before and "τ = 1.4:" in after
    five.shot(shots / "firefox-explorer.png")


def test_what_was_committed_is_in_the_store(five, server):
    with closing(sqlite3.connect(f"file:{server.store}?mode=ro", uri=True)) as store:
        kept = {id for (id,) in store.execute("SELECT exercise FROM attempts")}
    assert {"05/first-row", "05/can-key-3-lead"} <= kept

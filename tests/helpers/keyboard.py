"""A learner who has only a keyboard."""

from playwright.sync_api import Locator

from tests.helpers.lab_page import CELLS, PANEL, LabPage

ACTIVE = f"() => {PANEL}.content.activeCell.model.id"
IDS = f"() => {CELLS}.map(c => c.model.id)"
SOURCES = f"() => {CELLS}.map(c => c.model.id + ': ' + c.model.sharedModel.source)"
FOCUSED = "e => e === document.activeElement"
INSIDE = "() => document.activeElement.closest('.jp-Notebook') !== null"
MOST = 60


def go_to(lab: LabPage, cell: str) -> None:
    """Leave whatever is being edited, and move to a cell with the arrow keys."""
    ids = lab.page.evaluate(IDS)
    lab.page.keyboard.press("Escape")
    while (here := lab.page.evaluate(ACTIVE)) != cell:
        key = "ArrowDown" if ids.index(here) < ids.index(cell) else "ArrowUp"
        lab.page.keyboard.press(key)
        assert lab.page.evaluate(ACTIVE) != here, f"{key} does not leave {here}"


def tab_to(lab: LabPage, control: Locator) -> None:
    """Press Tab until a control has the focus."""
    for _ in range(MOST):
        if control.evaluate(FOCUSED):
            return
        lab.page.keyboard.press("Tab")
    raise AssertionError(f"{MOST} times Tab, and {control} has no focus")

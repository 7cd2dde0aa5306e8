"""Every notebook, as a learner meets it: nothing is given away, and the loop closes."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from attn_lab.commands.learners_folder import shipped_folder
from attn_lab.course.editions import is_gated, text_of
from attn_lab.predict.ask import FIRST
from tests.helpers.axe import serious_findings
from tests.helpers.hidden_values import TITLES, found, given_away, hidden_values
from tests.helpers.lab_page import LabPage
from tests.helpers.looks import look, shot, too_wide, whole
from tests.helpers.notebook_files import read
from tests.helpers.predictions import commit, gated_cells, predictions, wrong_answer
from tests.helpers.standing import TALLEST, commit_wrong, faults, run_and_look

NOTEBOOKS = sorted(path.name for path in shipped_folder().glob("*.ipynb"))
BROKEN = ("Traceback", "Error displaying widget", "model not found")


def assert_undisturbed(lab: LabPage) -> None:
    """No error, no dialog and no toast stands in the page."""
    text = lab.page.locator(".jp-Notebook").inner_text()
    assert [each for each in BROKEN if each in text] == []
    assert lab.page.locator(".jp-Dialog, .Toastify__toast").count() == 0
    assert lab.page.locator(".jp-OutputArea [data-mime-type*=stderr]").count() == 0


def texts(outputs: list[dict[str, Any]]) -> list[str]:
    """What outputs say as plain text."""
    return [text_of(each.get("data", each).get("text/plain", "error")) for each in outputs]


@dataclass
class Opened:
    """A notebook that a learner has open, and what it must not show yet."""

    lab: LabPage
    path: Path
    hidden: set[str]
    has_run: bool = False
    revealed: bool = False

    def cells(self) -> list[dict[str, Any]]:
        """The cells of the reference edition."""
        return read(self.path)["cells"]

    def run_all(self) -> None:
        """Run All Cells, if that has not been done yet."""
        if not self.has_run:
            self.lab.run_all()
            self.has_run = True

    def reveal_everything(self) -> None:
        """Run each gated cell with every gate open; forms stay as the learner left them."""
        self.run_all()
        if not self.revealed:
            self.lab.python("import os; os.environ['ATTN_LAB_REVEAL'] = 'always'")
            self.lab.run_again(gated_cells(self.path))
            self.revealed = True


@pytest.fixture(scope="module", params=NOTEBOOKS)
def mine(request, shared_lab: LabPage, own_copy: Callable[[str], str]) -> Iterator[Opened]:
    """One learner's fresh copy of one notebook, opened; the tests below share it, in order."""
    shared_lab.fresh()
    shared_lab.open(own_copy(request.param))
    shared_lab.draw_all()
    shared_lab.idle()
    reference = shipped_folder() / request.param
    yield Opened(shared_lab, reference, hidden_values(reference))
    look(shared_lab)
    shared_lab.fresh()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_reference_edition_opens_with_its_answers_folded(lab, name):
    hidden = hidden_values(shipped_folder() / name)
    assert hidden, "this notebook stores nothing that could be given away"
    lab.open(f"reference/{name}")
    lab.draw_all()
    lab.idle()
    assert given_away(lab, hidden) == set()
    assert_undisturbed(lab)
    folded = [lab.outputs(cell).inner_text() for cell in gated_cells(shipped_folder() / name)]
    assert set(folded) <= TITLES


def test_a_learners_copy_opens_with_no_output(mine):
    assert mine.lab.page.locator(".jp-OutputArea-output").count() == 0
    assert given_away(mine.lab, mine.hidden) == set()
    assert_undisturbed(mine.lab)


def test_run_all_gives_nothing_away(mine):
    mine.run_all()
    for asked in predictions(mine.path):
        mine.lab.outputs(asked.ask).locator(".attn-commit").wait_for()
        assert FIRST in mine.lab.outputs(asked.reveal).inner_text()
    assert given_away(mine.lab, mine.hidden) == set()
    assert_undisturbed(mine.lab)
    saved = mine.lab.save()
    assert found(mine.hidden, json.dumps(saved["cells"], ensure_ascii=False)) == set()
    assert "widgets" not in saved["metadata"]
    assert "widget-view" not in json.dumps(saved)


def test_the_first_prediction_leads_to_its_reveal(mine):
    mine.run_all()
    first, *others = predictions(mine.path)
    asked = first.question
    commit(mine.lab, first, wrong_answer(asked) if asked.control == "options" else None)
    shown = mine.lab.run(first.reveal)
    shown.locator(".attn-reveal").wait_for()
    assert shown.locator(".attn-chip").count() == 1
    for other in others:
        assert FIRST in mine.lab.outputs(other.reveal).inner_text()
    assert_undisturbed(mine.lab)


def test_every_form_and_every_card_stands_whole_in_view_after_shift_enter(mine, shots):
    """In JupyterLab's default settings, its file browser open, every question answered wrong."""
    mine.run_all()
    lab = mine.lab
    lab.page.set_viewport_size({"width": 1366, "height": 850})
    lab.page.evaluate("() => jupyterapp.shell.expandLeft()")
    forms, cards = {}, {}
    for asked in predictions(mine.path):
        id = asked.question.id
        css = f".attn-panel.attn-id-{id.replace('/', '-')}"
        forms[id] = run_and_look(lab, asked.ask, css)
        commit_wrong(lab, asked)  # the first was committed by mouse, and keeps what it has
        cards[id] = run_and_look(lab, asked.reveal, f"{css}-card")
        if "ATTN_LAB_SHOTS" in os.environ:
            lab.page.screenshot(path=Path(shots) / f"card-{id.replace('/', '-')}.png")
    print({id: round(each["height"]) for id, each in cards.items()})
    look(lab)
    assert faults(forms) == [] and faults(cards) == []
    assert {id: each["height"] for id, each in cards.items() if each["height"] > TALLEST} == {}


def test_a_cell_run_again_after_run_all_still_shows_its_stored_answer(mine):
    mine.reveal_everything()
    stored = {cell["id"]: texts(cell["outputs"]) for cell in mine.cells() if is_gated(cell)}
    shown = {cell: texts(mine.lab.held(cell)) for cell in stored}
    assert [cell for cell in stored if shown[cell] != stored[cell]] == []
    assert_undisturbed(mine.lab)


@pytest.mark.parametrize(("theme", "width"), [("Light", 1280), ("Light", 375), ("Dark", 1280)])
def test_everything_revealed_is_readable(mine, theme, width, shots):
    mine.reveal_everything()
    look(mine.lab, width=width, theme=theme)
    with whole(mine.lab):
        if "ATTN_LAB_SHOTS" in os.environ:  # a second each: only where somebody looks at them
            shot(mine.lab, shots / f"{mine.path.stem}-{theme.lower()}-{width}.png")
        wide = too_wide(mine.lab)
        # a colour never depends on the width, nor anything but colours on the theme
        findings = serious_findings(mine.lab.page, colours=width == 1280, shapes=theme == "Light")
    assert findings == []
    assert wide == []

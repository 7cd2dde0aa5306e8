"""Notebook 05 with a keyboard alone: every kind of prediction, and no cell is harmed."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from attn_lab.commands.learners_folder import shipped_folder
from tests.helpers.keyboard import FOCUSED, INSIDE, SOURCES, go_to, tab_to
from tests.helpers.lab_page import LabPage
from tests.helpers.predictions import Prediction, predictions

NAME = "05_mask_and_temperature.ipynb"
PREDICTIONS = {each.question.id: each for each in predictions(shipped_folder() / NAME)}
NUMBERS, CELLS, CHOICE = "05/first-row", "05/hotter", "05/can-key-3-lead"
CONTROLS = {
    "an option": (CHOICE, ".attn-options input >> nth=0"),
    "a step of confidence": (NUMBERS, ".attn-segments input >> nth=0"),
    "a cell of a grid": (CELLS, ".attn-cell >> nth=0"),
    "Commit": (CELLS, ".attn-commit"),
}
HARMFUL = ("x", "a", "b", "d", "d", "m")  # cut, insert, delete, change the kind of cell


@pytest.fixture(scope="module")
def five(shared_lab: LabPage, own_copy: Callable[[str], str]) -> Iterator[LabPage]:
    """Notebook 05 in a learner's copy, all cells run, nothing predicted."""
    shared_lab.fresh().open(own_copy(NAME))
    shared_lab.run_all()
    for each in PREDICTIONS.values():
        shared_lab.outputs(each.ask).locator(".attn-commit").wait_for()
    yield shared_lab
    shared_lab.fresh()


@pytest.mark.parametrize("control", CONTROLS)
def test_no_letter_on_a_control_touches_a_cell(five, control):
    id, selector = CONTROLS[control]
    cell = PREDICTIONS[id].ask
    target = five.outputs(cell).locator(selector)
    go_to(five, cell)
    tab_to(five, target)
    before = five.page.evaluate(SOURCES)
    for letter in HARMFUL:
        five.page.keyboard.press(letter)
        assert five.page.evaluate(SOURCES) == before
    assert target.evaluate(FOCUSED)


def answer_by_keys(lab: LabPage, prediction: Prediction) -> None:
    """Fill in the answer of a form with the keys that its control calls for."""
    keys, form = lab.page.keyboard, lab.outputs(prediction.ask)
    if prediction.question.kind == "numbers":
        for place, text in enumerate(["1", "0", "0", "0"]):
            tab_to(lab, form.get_by_label(f"weight of key {place + 1}", exact=True))
            keys.type(text)
    elif prediction.question.kind == "choice":
        tab_to(lab, form.locator(".attn-options input").first)
        keys.press("Space")
        keys.press("ArrowDown")
        assert form.locator(".attn-options input").nth(1).is_checked()
    else:
        tab_to(lab, form.locator(".attn-cell").first)
        keys.press("ArrowDown")  # from "query 1 reads less from key 1" to query 2
        keys.press("Space")
        painted = form.get_by_role("button", name="query 2 reads less from key 1")
        expect(painted).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("id", [NUMBERS, CELLS, CHOICE])
def test_a_prediction_is_made_and_revealed_by_keyboard(five, id):
    asked, keys = PREDICTIONS[id], five.page.keyboard
    form = five.outputs(asked.ask)
    go_to(five, asked.ask)
    answer_by_keys(five, asked)
    tab_to(five, form.get_by_role("radio", name="guess"))
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    tab_to(five, form.get_by_label("because"))
    keys.type("x a dd: letters are only text here")
    tab_to(five, form.locator(".attn-commit"))
    keys.press("Enter")
    again = form.locator(".attn-again")
    again.wait_for()
    five.page.wait_for_function(f"e => ({FOCUSED})(e)", arg=again.element_handle())
    assert five.page.evaluate(INSIDE)
    assert "certain" in form.inner_text()
    keys.press("Escape")  # back to the notebook, whose arrows lead on
    go_to(five, asked.reveal)
    keys.press("Shift+Enter")
    five.outputs(asked.reveal).locator(".attn-reveal").wait_for()


def test_shift_enter_after_a_commit_runs_on_and_does_not_predict_again(five):
    asked, keys = PREDICTIONS["05/very-hot"], five.page.keyboard
    form = five.outputs(asked.ask)
    go_to(five, asked.ask)
    answer_by_keys(five, asked)
    tab_to(five, form.get_by_role("radio", name="guess"))
    keys.press("Space")
    tab_to(five, form.locator(".attn-commit"))
    keys.press("Enter")
    again = form.locator(".attn-again")
    five.page.wait_for_function(f"e => ({FOCUSED})(e)", arg=again.element_handle())
    keys.press("Shift+Enter")  # runs the question again, as in any cell, and moves on
    keys.press("Shift+Enter")
    five.outputs(asked.reveal).locator(".attn-reveal").wait_for()
    assert form.locator(".attn-again").is_visible()

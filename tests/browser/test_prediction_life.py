"""Notebook 05: what is committed is kept, whatever happens to the kernel and the page."""

from collections.abc import Callable, Iterator

import pytest

from attn_lab.commands.learners_folder import shipped_folder
from tests.helpers.lab_page import LabPage
from tests.helpers.looks import look
from tests.helpers.predictions import BECAUSE, commit, fill, predictions

NAME = "05_mask_and_temperature.ipynb"
FIRST, SECOND, *_ = predictions(shipped_folder() / NAME)
LOST = "getComputedStyle(e, '::before').content"


@pytest.fixture(scope="module")
def five(shared_lab: LabPage, own_copy: Callable[[str], str]) -> Iterator[LabPage]:
    """A learner's copy of notebook 05, run once; the tests below go through one life in order."""
    shared_lab.fresh().open(own_copy(NAME))
    shared_lab.run_all()
    yield shared_lab
    shared_lab.fresh()


def test_a_known_mistake_is_named_beside_the_learners_own_words(five):
    form = commit(five, FIRST, ["0,266", "0.131", "0.539", "0.065"])
    assert "Saved." in form.inner_text()
    shown = five.run(FIRST.reveal).locator(".attn-reveal")
    shown.wait_for()
    for fold in shown.locator("summary").all():
        fold.click()
    text = shown.inner_text()
    near_miss = FIRST.question.near_misses[0]
    assert near_miss.sentence in text and BECAUSE in text
    assert FIRST.question.explanation.strip().splitlines()[0] in text


def test_what_one_would_now_say_is_kept_beside_it(five):
    line = five.outputs(FIRST.reveal).locator(".attn-id-05-first-row-card")
    line.get_by_text("What would you say now?", exact=True).click()
    line.locator("input").fill("position 1 reads itself alone")
    line.locator(".attn-keep-words").click()
    line.get_by_text("Kept beside your first words").wait_for()


def test_its_field_is_seen_whole_in_a_narrow_window(five, shots):
    look(five, width=375)
    line = five.outputs(FIRST.reveal).locator(".attn-id-05-first-row-card")
    line.scroll_into_view_if_needed()
    line.screenshot(path=shots / "afterwards-375.png")
    box = line.locator("input").bounding_box()
    look(five)
    assert box["width"] > 150 and box["x"] + box["width"] <= 375


def test_a_lost_kernel_is_said_and_takes_no_answer(five):
    waiting = five.outputs(SECOND.ask).locator(".attn-predict")
    assert waiting.evaluate(f"e => {LOST}") == "none"
    five.restart()
    five.page.wait_for_function(
        f"e => {LOST}.includes('The kernel that drew this is gone')", arg=waiting.element_handle()
    )
    marks = waiting.locator("*").evaluate_all(f"all => all.map(e => {LOST})")
    assert set(marks) <= {
        "none",
        "normal",
        '""',
        '"→\xa0"',
    }  # no broken link on each control besides


def test_after_a_restart_the_commitment_is_back_and_locked(five):
    five.run_all()
    form = five.outputs(FIRST.ask)
    form.locator(".attn-again").wait_for()
    text = form.inner_text()
    for kept in ("0.266", "0.131", "0.539", "0.065", "fairly sure", BECAUSE):
        assert kept in text
    assert form.locator("input, .attn-commit").count() == 0
    shown = five.outputs(FIRST.reveal).locator(".attn-reveal")
    assert "position 1 reads itself alone" in shown.text_content()
    five.outputs(SECOND.ask).locator(".attn-commit").wait_for()


def test_predict_again_keeps_the_first_answer(five):
    form = five.outputs(FIRST.ask)
    form.locator(".attn-again").click()
    form.get_by_label("weight of key 1", exact=True).wait_for()
    commit(five, FIRST, ["1", "0", "0", "0"])
    assert "round 2" in form.inner_text()
    assert BECAUSE in form.inner_text()  # typed just before Commit was pressed
    shown = five.run(FIRST.reveal).locator(".attn-reveal")
    five.page.wait_for_function(
        "e => e.textContent.includes('Round 2')", arg=shown.element_handle()
    )
    assert "0.266" in shown.text_content()


def test_a_saved_notebook_reopens_with_no_broken_widget(five):
    saved = five.save()
    assert "widget-view" not in str(saved) and "widgets" not in saved["metadata"]
    path = five.path
    five.close()
    five.server.await_no_kernel()
    five.reload(path)
    five.idle()
    assert "Run this cell to answer here" in five.outputs(SECOND.ask).inner_text()
    assert "Committed, round 1" in five.outputs(FIRST.ask).inner_text()
    text = five.page.locator(".jp-Notebook").inner_text()
    for broken in ("Error displaying widget", "model not found", "Traceback"):
        assert broken not in text
    five.run_all()
    five.outputs(FIRST.ask).locator(".attn-again").wait_for()


def test_a_double_click_on_commit_makes_one_attempt(five):
    form = fill(five, SECOND)
    form.locator(".attn-commit").dblclick()
    form.locator(".attn-again").wait_for()
    again = five.run(SECOND.ask)  # its answer comes after that to both clicks
    again.locator(".attn-again").wait_for()
    assert "round 1" in again.inner_text()

"""The explorer of notebook 05: the picture follows the slider, in one step, without a jump."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.helpers.keyboard import SOURCES
from tests.helpers.lab_page import LabPage
from tests.helpers.looks import look

NAME = "05_mask_and_temperature.ipynb"
CELL = "explorer"
# At each frame that the browser paints: is the map there, and how tall is the explorer?
WATCH = """root => {
  const seen = {frames: 0, blank: 0, changes: 0, heights: new Set()};
  new MutationObserver(() => seen.changes++).observe(root, {childList: true, subtree: true});
  const look = () => {
    const cells = [...root.querySelectorAll('table td')].filter(e => e.offsetHeight > 0);
    const drawn = [...root.querySelectorAll('svg')].some(e => e.getBoundingClientRect().height > 0);
    seen.frames++;
    seen.blank += cells.length < 16 || !drawn;
    seen.heights.add(Math.round(root.getBoundingClientRect().height));
    globalThis.watching = requestAnimationFrame(look);
  };
  look();
  globalThis.seen = seen;
}"""
SEEN = """() => {
  cancelAnimationFrame(globalThis.watching);
  return {...globalThis.seen, heights: [...globalThis.seen.heights]};
}"""


@pytest.fixture(scope="module")
def five(shared_lab: LabPage, own_copy: Callable[[str], str]) -> Iterator[LabPage]:
    """Notebook 05 with every gate open and all cells run."""
    shared_lab.fresh().open(own_copy(NAME))
    shared_lab.python("import os; os.environ['ATTN_LAB_REVEAL'] = 'always'")
    shared_lab.run_all()
    shared_lab.outputs(CELL).locator("input[type=range]").wait_for()
    yield shared_lab
    shared_lab.fresh()


@pytest.fixture
def explorer(five: LabPage) -> Locator:
    """The explorer, at row 3, mask on, temperature 1, its slider in focus."""
    explorer = five.outputs(CELL).locator(".attn-explore")
    explorer.get_by_role("radio", name="query 3").check()
    explorer.get_by_label("causal mask").check()
    explorer.get_by_label("τ =").fill("1")
    explorer.get_by_label("τ =").press("Enter")
    explorer.get_by_text("Row 3, mask on, τ = 1:").wait_for()
    explorer.locator("input[type=range]").focus()
    return explorer


def step(explorer: Locator, key: str) -> str:
    """Press a key on the slider, wait for the picture, and return what it says."""
    said = explorer.locator(".attn-result")
    before = said.inner_text()
    explorer.page.keyboard.press(key)
    explorer.page.wait_for_function(
        "([e, before]) => e.querySelector('.attn-result')?.innerText !== before",
        arg=[explorer.element_handle(), before],
    )
    return said.inner_text()


def test_the_slider_changes_the_map_with_no_blank_frame_and_no_jump(explorer):
    explorer.evaluate(WATCH)
    said = [step(explorer, key) for key in ["ArrowRight"] * 5 + ["ArrowLeft"] * 10]
    seen = explorer.page.evaluate(SEEN)
    assert len(set(said)) >= 10
    assert seen["changes"] >= 15 and seen["frames"] >= 15
    assert seen["blank"] == 0
    assert len(seen["heights"]) == 1


def test_sharper_and_more_even_go_the_way_the_slider_goes(explorer):
    cold = step(explorer, "ArrowLeft")
    assert cold.startswith("Row 3, mask on, τ = 0.7: weights 0.24 0.67 0.09 –")
    assert "0.67" in explorer.locator("table").first.inner_text()


def test_the_masked_key_stays_masked_at_every_temperature(explorer):
    for key in ("Home", "End"):
        assert " –, sum 1.00" in step(explorer, key)


def test_what_cannot_be_a_temperature_is_said_and_changes_nothing(explorer):
    entry, said = explorer.get_by_label("τ ="), explorer.locator(".attn-result")
    before = said.inner_text()
    entry.fill("0")
    entry.press("Enter")
    explorer.get_by_text("τ needs a number above 0; got 0.").wait_for()
    assert said.inner_text() == before


def test_the_slider_has_a_name_and_no_letter_on_it_cuts_a_cell(five, explorer):
    slider = explorer.get_by_role("slider", name="temperature")
    before = five.page.evaluate(SOURCES)
    slider.focus()
    for letter in "xabdd":
        five.page.keyboard.press(letter)
    assert five.page.evaluate(SOURCES) == before
    step(explorer, "ArrowRight")


def test_what_is_typed_after_tab_replaces_a_value_that_arrives_late(explorer):
    keyboard = explorer.page.keyboard
    for _ in range(8):
        keyboard.press("ArrowRight")
    keyboard.press("Tab")
    # the kernel's last value comes after the focus, and undoes the selection
    explorer.get_by_text("Row 3, mask on, τ = 14:").wait_for()
    keyboard.type("3.5")
    keyboard.press("Enter")
    explorer.get_by_text("Row 3, mask on, τ = 3.5:").wait_for()


def test_a_click_on_the_map_picks_the_row_and_a_slider_draws_the_trail(explorer):
    explorer.locator("[data-cells] table").get_by_text("query 2").click()
    explorer.get_by_text("Row 2, mask on, τ = 1:").wait_for()
    expect(explorer.get_by_role("radio", name="query 2")).to_be_checked()
    explorer.locator("input[type=range]").focus()
    step(explorer, "End")
    path = explorer.locator(".attn-trail").bounding_box()
    assert path["width"] > 5 and path["height"] > 5


def test_a_map_scrolled_sideways_stays_so_when_it_is_replaced(five, explorer):
    look(five, width=375)
    explorer.evaluate("e => e.querySelector('.attn-scroll').scrollLeft = 60")
    explorer.locator("input[type=range]").focus()
    step(explorer, "ArrowRight")
    explorer.page.wait_for_function(
        "e => e.querySelector('.attn-scroll').scrollLeft === 60", arg=explorer.element_handle()
    )
    look(five)

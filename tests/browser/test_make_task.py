"""Notebook 04's task as a learner does it: the stub, a mistake, the hints, the right way."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from attn_lab.record import Store
from tests.helpers.keyboard import go_to, tab_to
from tests.helpers.lab_page import LabPage
from tests.helpers.looks import look, too_wide

NAME = "04_the_causal_boundary.ipynb"
STUB, GRADE, HINTS = (f"{part}-causal-mask" for part in ("stub", "grade", "hints"))
WRITE = "([cell, source]) => jupyterapp.shell.currentWidget.content.widgets.find(" \
    "c => c.model.id === cell).model.sharedModel.setSource(source)"  # fmt: skip
MASK = "import torch\n\n\ndef my_causal_mask(T_q, T_k):\n    i, j = torch.arange(T_q), \
torch.arange(T_k)\n    return {rule}"


@pytest.fixture(scope="module")
def four(shared_lab: LabPage, own_copy: Callable[[str], str]) -> Iterator[LabPage]:
    """A learner's copy of notebook 04, run once."""
    shared_lab.fresh().open(own_copy(NAME))
    shared_lab.run_all()
    yield shared_lab
    shared_lab.fresh()


def write(lab: LabPage, rule: str) -> str:
    """Write the function with this rule, run its cell and the grader's; what it says."""
    lab.page.evaluate(WRITE, [STUB, MASK.format(rule=rule)])
    lab.run(STUB)
    return lab.run(GRADE).locator(".attn-grade").inner_text()


def photograph(lab: LabPage, file: Path) -> None:
    lab.cell(GRADE).scroll_into_view_if_needed()
    lab.cell(GRADE).screenshot(path=file)


def kept(lab: LabPage) -> list[tuple[bool, str]]:
    results = Store(lab.server.store).tasks("04/causal-mask")
    return [(each.passed, each.mistake) for each in results]


def test_run_all_says_what_is_missing_and_keeps_nothing(four, shots):
    said = four.outputs(GRADE).locator(".attn-grade").inner_text()
    assert "Make 04/causal-mask: not written yet" in said
    assert "Asked for: a tensor of True and False" in said
    assert kept(four) == []
    photograph(four, shots / "make-stub.png")


def test_a_mistake_is_named_and_kept(four, shots):
    said = write(four, "j > i[:, None]")
    assert "True and False exchanged" in said and "Which keys would position 1 read then?" in said
    assert kept(four) == [(False, "mask_of_the_blocked")]
    photograph(four, shots / "make-mistake.png")


def test_hints_unfold_one_at_a_time_by_keyboard_and_no_cell_is_harmed(four, shots):
    hints = four.outputs(HINTS).locator(".attn-hints")
    sources = four.page.locator(".jp-Cell").count()
    go_to(four, HINTS)
    for number, key in enumerate(("Enter", "Space", "Enter"), 1):
        summary = hints.get_by_text(f"Hint {number} of 3", exact=True)
        tab_to(four, summary)
        assert hints.locator("p:visible").count() == number - 1
        four.page.keyboard.press(key)
        assert hints.locator("p:visible").count() == number
    for letter in "xdd":
        four.page.keyboard.press(letter)
    assert four.page.locator(".jp-Cell").count() == sources
    hints.screenshot(path=shots / "make-hints.png")


def test_the_right_way_passes_and_both_are_kept(four, shots):
    said = write(four, "j <= i[:, None]")
    assert "Make 04/causal-mask: passed" in said
    assert kept(four) == [(False, "mask_of_the_blocked"), (True, "")]
    photograph(four, shots / "make-passed.png")


def test_a_loop_without_end_leaves_the_kernel_alive(four):
    four.page.evaluate(
        WRITE, [STUB, "def my_causal_mask(T_q, T_k):\n    while True:\n        pass"]
    )
    four.run(STUB)
    said = four.run(GRADE).locator(".attn-grade").inner_text()
    assert "was interrupted" in said
    four.python("assert my_causal_mask is not None")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_a_verdict_fits_a_phone_in_both_themes(four, shots, theme):
    write(four, "(j < i[:, None]).float()")
    write(four, "j < i[:, None]")
    look(four, width=375, theme=theme)
    assert too_wide(four) == []
    photograph(four, shots / f"make-phone-{theme.lower()}.png")
    look(four)

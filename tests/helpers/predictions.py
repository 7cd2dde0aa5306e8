"""A notebook's predictions, and how a learner makes one with the mouse."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator

from attn_lab.course.editions import is_gated
from attn_lab.course.kinds import Question
from attn_lab.course.questions import question
from tests.helpers.lab_page import LabPage
from tests.helpers.notebook_files import ASK, REVEAL, read, sources

BECAUSE = "said the browser test"


@dataclass(frozen=True)
class Prediction:
    """One question of a notebook, with the cells that ask it and that reveal its answer."""

    question: Question
    ask: str
    reveal: str


def predictions(notebook: Path) -> list[Prediction]:
    """A notebook's predictions in their order."""
    code = [*sources(read(notebook)).items()]
    found = []
    for cell, source in code:
        for name, id in ASK.findall(source):
            reveal = next(each for each, text in code if name in REVEAL.findall(text))
            found.append(Prediction(question(id), cell, reveal))
    return found


def gated_cells(notebook: Path) -> list[str]:
    """The ids of the cells that show something only after a prediction."""
    return [cell["id"] for cell in read(notebook)["cells"] if is_gated(cell)]


def an_answer(asked: Question) -> Any:
    """Some answer that the form accepts, right or wrong."""
    if asked.control == "options":
        return asked.options[0].key
    if asked.control == "grid":
        return [0]
    if asked.kind == "shape":
        return ["2, 3"] * len(asked.labels)
    return ["1" if unit.name in ("count", "number") else "1/4" for unit in asked.each]


def wrong_answer(asked: Question) -> Any:
    """An answer with a name among the wrong ones, or one that can hardly be right."""
    if asked.control == "options":
        return next(option.key for option in asked.options if option.misconception)
    return asked.named[0].value if asked.named else asked.stand_in()


def fill(lab: LabPage, prediction: Prediction, answer: Any = None) -> Locator:
    """Fill in the form with the mouse and return it, ready for Commit."""
    form = lab.outputs(prediction.ask)
    asked = prediction.question
    given = an_answer(asked) if answer is None else answer
    if asked.control == "options":
        form.locator(f'input[value="{given}"]').check()
    elif asked.control == "grid":
        for place in given:
            form.locator(".attn-cell").nth(place).click()
    else:
        names = asked.labels if asked.kind == "shape" else asked.asked
        for name, text in zip(names, given, strict=True):
            form.get_by_label(name, exact=True).fill(text)
    form.get_by_role("radio", name="fairly sure").check()
    form.get_by_role("textbox", name="because").fill(BECAUSE)
    return form


def commit(lab: LabPage, prediction: Prediction, answer: Any = None) -> Locator:
    """Fill in the form, press Commit, and return the locked form."""
    form = fill(lab, prediction, answer)
    form.locator(".attn-commit").click()
    form.locator(".attn-again").wait_for()
    return form

"""A class: the instructor's two pages and three learners' notebooks, two rounds, then the code."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from attn_lab.course.questions import question
from tests.helpers.class_server import ClassProcess
from tests.helpers.lab_page import LabPage
from tests.helpers.predictions import Prediction, commit

ASKED = question("01/zero-score")
NAMES = ("ann", "ben", "eva")
FIRST, SECOND = "none of it", "about a third"
SENT = "Sent to the class."


@dataclass
class Learner:
    """One notebook with a kernel and a store of its own."""

    lab: LabPage
    name: str
    store: Path
    path: str

    @property
    def prediction(self) -> Prediction:
        return Prediction(ASKED, f"{self.name}-ask", f"{self.name}-reveal")

    @property
    def form(self) -> Locator:
        return self.lab.outputs(f"{self.name}-ask")

    def here(self) -> "Learner":
        """Sit down at this learner's notebook."""
        self.lab.turn_to(self.path)
        return self

    def commit(self, answer: str) -> None:
        key = next(option.key for option in ASKED.options if option.text == answer)
        commit(self.lab, self.prediction, key)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ClassProcess]:
    running = ClassProcess(f"sqlite:///{tmp_path}/class.sqlite").start()
    yield running
    running.stop()


@pytest.fixture
def pages(browser: Browser, room: ClassProcess) -> Iterator[tuple[Page, Page]]:
    """Desk and stage in one browser, as on the instructor's laptop."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        context.set_default_timeout(30_000)
        desk, stage = context.new_page(), context.new_page()
        desk.goto(room.link)
        expect(desk).to_have_title("Desk · desk")
        stage.goto(f"http://127.0.0.1:{room.desk_port}/stage")
        yield desk, stage


@pytest.fixture
def learners(lab: LabPage, room: ClassProcess, tmp_path: Path) -> list[Learner]:
    """Three learners who have joined and see the question."""
    folder = lab.server.root / "class"
    folder.mkdir()
    came = []
    for name in NAMES:
        store = tmp_path / f"{name}.sqlite"
        learners_notebook(folder / f"{name}.ipynb", store, room.text, ASKED.id, "third")
        came.append(Learner(lab, name, store, f"class/{name}.ipynb").here())
    for learner in came:
        learner.here()
        lab.run_all()
        expect(lab.outputs(f"{learner.name}-join")).to_contain_text("Joined. From now on your")
        expect(learner.form.locator(".attn-class")).to_contain_text("not your reasons, go to http")
    return came


def test_a_class_predicts_discusses_predicts_again_and_runs_the_code(
    room, pages, learners, lab, shots
):
    desk, stage = pages
    expect(stage.locator("#join")).to_contain_text(room.text)
    desk.select_option("#choose", ASKED.id)
    desk.get_by_role("button", name="1 Predict", exact=True).click()
    expect(stage.locator("#phase")).to_contain_text("Predict alone. Commit.")

    for number, learner in enumerate(learners, 1):
        learner.here().commit(FIRST)
        expect(learner.form.locator(".attn-class")).to_have_text(SENT)
        expect(stage.locator("#count")).to_have_text(f"{number} of 3 answered")
    _stage_gives_nothing_away(stage)
    expect(_counts(desk, FIRST)).to_have_text(["3"])
    stage.screenshot(path=shots / "class-stage-round-1.png")

    desk.get_by_role("button", name="2 Discuss").click()
    desk.get_by_role("button", name="3 Predict again").click()
    expect(stage.locator("#count")).to_have_text("0 of 3 answered")
    for number, learner in enumerate(learners, 1):
        learner.here().form.locator(".attn-again").click()
        expect(learner.form.locator(".attn-class")).to_contain_text("go to http")
        learner.commit(SECOND)
        expect(learner.form).to_contain_text("round 2")
        expect(learner.form.locator(".attn-class")).to_have_text(SENT)
        expect(stage.locator("#count")).to_have_text(f"{number} of 3 answered")
    _stage_gives_nothing_away(stage)
    expect(_counts(desk, FIRST)).to_have_text(["3", "0"])
    expect(_counts(desk, SECOND)).to_have_text(["0", "3"])
    desk.screenshot(path=shots / "class-desk.png", full_page=True)

    desk.get_by_role("button", name="4 Show both rounds").click()
    expect(_counts(stage, FIRST)).to_have_text(["3", "0"])
    expect(_counts(stage, SECOND)).to_have_text(["0", "3"])
    for learner in learners:
        shown = learner.here().lab.run(f"{learner.name}-reveal").locator(".attn-reveal")
        expect(shown).to_contain_text(ASKED.explanation.strip().splitlines()[0])
    learners[0].here().form.screenshot(path=shots / "class-learner.png")
    _no_answer_is_lost(room, learners)


def _counts(page: Page, answer: str) -> Locator:
    """The counts beside one answer, a line for each round."""
    bar = page.locator(".bars > li").filter(has=page.get_by_text(answer, exact=True))
    return bar.locator(".count")


def _stage_gives_nothing_away(stage: Page) -> None:
    expect(stage.locator("#rounds")).to_be_hidden()
    expect(stage.locator("#rounds li, .computed, .says")).to_have_count(0)
    # every option once, as it was asked
    expect(stage.locator("#options li")).to_have_text([each.text for each in ASKED.options])
    assert [stage.content().count(f">{each.text}<") for each in ASKED.options] == [1] * 4


def _no_answer_is_lost(room: ClassProcess, learners: list[Learner]) -> None:
    own = [attempt for learner in learners for attempt in kept(learner.store)]
    assert [(round, answer, sent) for _, _, round, answer, sent in own] == [
        (1, "none", "sent"),
        (2, "third", "sent"),
    ] * 3
    held = [
        (id, exercise, round, json.loads(text))
        for id, exercise, round, text in held_by_the_class(room)
    ]
    assert sorted(held) == sorted(attempt[:4] for attempt in own)


def held_by_the_class(room: ClassProcess) -> list[tuple[Any, ...]]:
    """End the class, and give id, exercise, round and answer of all that it holds."""
    room.stop()  # a running class keeps its file locked
    wanted = "SELECT id, exercise, round, answer FROM answers ORDER BY number"
    return _rows(Path(room.url.removeprefix("sqlite:///")), wanted)


def learners_notebook(file: Path, store: Path, join: str, exercise: str, computed: str) -> None:
    """Write a notebook that joins the class, asks one question and reveals; ids are its own."""
    name = file.stem
    sources = {
        "join": f"import os\nos.environ['ATTN_LAB_STORE'] = {str(store)!r}\n"
        f"from attn_lab.predict import ask, join\njoin({join!r})",
        "ask": f"asked = ask({exercise!r})\nasked",
        "reveal": f"asked.reveal({computed!r})",
    }
    cells = [nbformat.v4.new_code_cell(text, id=f"{name}-{id}") for id, text in sources.items()]
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(notebook, file)


def kept(store: Path) -> list[tuple[Any, ...]]:
    """Id, exercise, round, answer and state of every attempt in a learner's own store."""
    rows = _rows(store, "SELECT id, exercise, round, answer, sent FROM attempts ORDER BY round")
    return [(*row[:3], json.loads(row[3]), row[4]) for row in rows]


def _rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(file)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()

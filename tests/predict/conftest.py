"""One question of each kind, a store of its own for each test, and what a cell displays."""

import pytest

from attn_lab.course.questions import Misconception, NearMiss, Option, Question
from attn_lab.predict import wording
from attn_lab.predict.ask import Exercise

COMMON = {
    "prompt": "What are the weights?\nOf row 1.\n\nThe mask is on: 0 < T.",
    "depth": "class",
    "statements": ("S26",),
    "minutes": 4,
    "explanation": "Only key 1 is legal.",
}
NUMBERS = Question(
    id="05/first-row",
    kind="numbers",
    labels=("key 1", "key 2", "key 3", "key 4"),
    tolerance=0.03,
    sums_to_one=True,
    near_misses=(
        NearMiss("late zero", [0.27, 0, 0, 0], "Zeroing late gives this.", "late"),
        NearMiss("even", [0.25, 0.25, 0.25, 0.25], "An even share gives this."),
        NearMiss("no root", [0.245, 0.665, 0.09, 0], "Without the root it is this.", "late"),
    ),
    **COMMON,
)
CHOICE = Question(
    id="01/minus-max",
    kind="choice",
    options=(
        Option("smaller", "both smaller", "Someone who picks this sees parts.", "late"),
        Option("same", "the `same`", "Someone who picks this sees a factor."),
        Option("odd", "<b>odd</b>", "Someone who picks this has no named rule."),
    ),
    **COMMON,
)
CELLS = Question(
    id="05/hotter",
    kind="cells",
    rows=("query 1", "query 2"),
    columns=("key 1", "key 2"),
    near_misses=(NearMiss("all", [[1, 1], [1, 1]], "Everything is painted.", "late"),),
    **COMMON,
)
SHAPE = Question(
    id="07/split-shape",
    kind="shape",
    labels=("shape",),
    near_misses=(NearMiss("one map", [2, 10, 10], "The heads share one map."),),
    **COMMON,
)
SHAPES = Question(id="02/shapes", kind="shape", labels=("scores S", "output O"), **COMMON)
LATE = Misconception("late", "Late", "zero it afterwards", "It holds without a sum.", "what adds?")


@pytest.fixture(autouse=True)
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTN_LAB_STORE", str(tmp_path / "predictions.sqlite"))
    monkeypatch.delenv("ATTN_LAB_REVEAL", raising=False)
    monkeypatch.setattr(wording, "misconceptions", lambda: {"late": LATE})
    return tmp_path / "predictions.sqlite"


@pytest.fixture
def always(monkeypatch):
    monkeypatch.setenv("ATTN_LAB_REVEAL", "always")


@pytest.fixture
def shown(monkeypatch):
    """Everything that is displayed, in order."""
    seen = []
    monkeypatch.setattr("IPython.display.display", seen.append)
    return seen


@pytest.fixture
def numbers():
    return Exercise(NUMBERS)


@pytest.fixture
def choice():
    return Exercise(CHOICE)


@pytest.fixture
def cells():
    return Exercise(CELLS)


@pytest.fixture
def shape():
    return Exercise(SHAPE)


@pytest.fixture
def shapes():
    return Exercise(SHAPES)

"""What holds for every kind: one form of an answer, and one place that knows the kinds."""

import ast
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
import torch

import attn_lab
from attn_lab.course import kinds
from attn_lab.course.kinds import KINDS, NearMiss
from attn_lab.course.kinds.answer import refusal
from attn_lab.course.kinds.near_misses import Open
from attn_lab.course.questions import questions, read_notebook

from ...helpers.questions import CELLS, CHOICE, NUMBERS, SHAPE, SHAPES

PACKAGE = Path(attn_lab.__file__).parent
HOME = Path(kinds.__file__).parent
CLASSES = {kind.__name__ for kind in KINDS.values()}


@pytest.mark.parametrize("question", [NUMBERS, CELLS, SHAPE, CHOICE])
@pytest.mark.parametrize("layout", ["sparse", "meta"])
def test_a_tensor_whose_numbers_cannot_be_listed_is_refused_in_words(question, layout):
    value = torch.eye(4).to_sparse() if layout == "sparse" else torch.zeros(4, device="meta")
    for read in (question.read, question.read_computed):
        with pytest.raises(ValueError, match="expected a value whose numbers can be listed"):
            read(value)


def test_a_large_tensor_that_does_not_fit_is_quoted_by_its_beginning():
    for question in (NUMBERS, CELLS, SHAPES, CHOICE):
        with pytest.raises(ValueError) as refused:
            question.read_computed(torch.zeros(300, 300))
        assert len(str(refused.value)) < 250


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.id)
def test_every_named_answer_of_the_course_can_be_given_stored_and_spelled(question):
    draw = random.Random(1)
    answers = [question.invented(draw) for _ in range(20)]
    assert len(question.groups()) == len(question.named)
    for answer in answers:
        assert question.fits(answer) and question.read(answer) == answer
        assert question.spelled(answer) and question.written(answer) and question.in_words(answer)
        assert question.compare(answer, answer).outcome == "same"
        assert len(question.parts(answer)) == len(question.places())
        assert question.beside(answer, answer, question.compare(answer, answer)).rows


class Order(Open, frozen=True, kw_only=True, tag="order"):
    """A fifth kind: items in an order."""

    items: tuple[str, ...]

    control = "fields"
    form = "the items in an order"

    def fits(self, answer: Any) -> bool:
        return isinstance(answer, list) and sorted(map(str, answer)) == sorted(self.items)

    def read(self, answer: Any) -> list[str]:
        if not self.fits(answer):
            raise refusal(self, self.form, answer)
        return list(answer)

    def spelled(self, answer: Any) -> str:
        return " < ".join(answer)


def test_a_fifth_kind_is_one_class(tmp_path, monkeypatch):
    monkeypatch.setitem(KINDS, "order", Order)
    file = tmp_path / "05.toml"
    file.write_text(
        """
        [notebook]
        title = "T"
        question = "Q?"
        minutes = 30
        summary = ["One."]
        [[question]]
        id = "05/sorted"
        kind = "order"
        prompt = "Smallest first?"
        depth = "core"
        statements = ["S26"]
        minutes = 2
        explanation = "So."
        items = ["a", "b", "c"]
        [[question.near_miss]]
        name = "reversed"
        value = ["c", "b", "a"]
        sentence = "Largest first."
        """,
        encoding="utf-8",
    )
    asked = read_notebook(file, ()).questions[0]
    assert (asked.kind, asked.items) == ("order", ("a", "b", "c"))
    assert asked.written(asked.read(["b", "a", "c"])) == "b < a < c"
    assert asked.compare(["c", "b", "a"], ["a", "b", "c"]).near_miss.name == "reversed"
    assert asked.beside(None, ["a", "b", "c"], None).rows == [
        ("answer", "no prediction", "['a', 'b', 'c']", "–")
    ]
    wrong = file.read_text("utf-8").replace('["c", "b", "a"]', '["c"]')
    file.write_text(wrong, encoding="utf-8")
    with pytest.raises(ValueError, match=r"near_miss 1, field 'value': expected the items in an"):
        read_notebook(file, ())


def test_a_near_miss_names_a_mistake_by_its_name_in_the_bank():
    with pytest.raises(ValueError, match="field 'mistake'"):
        NearMiss("late", [1], "…", mistake="mask after")


def test_a_question_does_not_change():
    with pytest.raises(AttributeError):
        NUMBERS.prompt = "Another?"
    assert msgspec.structs.replace(NUMBERS, prompt="Another?").labels == NUMBERS.labels


def branches(source: str) -> list[int]:
    """The lines of a source that ask which kind a question is, in any of the ways there are."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            asks = any(map(_names_a_kind, sides)) or any(map(_is_a_questions_kind, sides))
        elif isinstance(node, ast.Dict):
            asks = sum(_names_a_kind(key) for key in node.keys if key) > 1
        elif isinstance(node, ast.match_case):
            asks = any(_names_a_kind(part) for part in ast.walk(node.pattern))
            asks |= any(
                isinstance(part, ast.MatchClass) and _is_a_class(part.cls)
                for part in ast.walk(node.pattern)
            )
        elif isinstance(node, ast.Subscript):
            asks = _is_a_questions_kind(node.slice)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
            "isinstance",
            "issubclass",
        ):
            asks = any(map(_is_a_class, ast.walk(node.args[1])))
        else:
            continue
        if asks:
            found.append(getattr(node, "lineno", 0))
    return found


def _names_a_kind(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(_names_a_kind, node.elts))
    return isinstance(node, ast.Constant) and node.value in KINDS


def _is_a_questions_kind(node: ast.AST) -> bool:
    """`question.kind`, however the question is called; a cell or a part has a kind too."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "kind"
        and getattr(node.value, "id", getattr(node.value, "attr", "")) in ("question", "asked", "q")
    )


def _is_a_class(node: ast.AST) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) in CLASSES


ELSEWHERE = [path for path in sorted(PACKAGE.rglob("*.py")) if HOME not in path.parents]


@pytest.mark.parametrize("file", ELSEWHERE, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_no_other_file_asks_which_kind_a_question_is(file):
    assert branches(file.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        'if each.kind == "cells": pass',
        'if kind in ("numbers", "shape"): pass',
        'if "choice" != kind: pass',
        "if question.kind == other: pass",
        "made = CONTROLS[asked.kind](asked)",
        'CONTROLS = {"choice": Radio, "cells": Grid}',
        'match kind:\n    case "shape": pass',
        "match asked:\n    case Cells(): pass",
        "isinstance(asked, kinds.Choice)",
        "isinstance(asked, (Numbers, Shape))",
    ],
)
def test_a_branch_on_the_kind_would_be_found(source):
    assert branches(source) != []


def test_other_kinds_of_things_are_left_alone():
    source = 'if cell.kind == "nan" or part.kind == "truth" or isinstance(x, list): pass'
    assert branches(source) == []

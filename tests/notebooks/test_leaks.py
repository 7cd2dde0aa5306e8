"""Nothing that a learner can read before a reveal gives its answer away.

Read before a reveal are the text and the code of the cells up to it, and what open cells show.
A number counts as an answer when the reveal shows it for the first time; the numbers of the
question itself, its labels and its options are given. What is said afterwards (explanations,
sentences of options and near misses, the summary) must not be found earlier either.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from attn_lab.course.editions import Notebook, is_gated, text_of
from attn_lab.course.kinds import Choice, Question
from attn_lab.course.questions import notebook as notebook_data
from attn_lab.course.questions import question, questions
from tests.helpers.notebook_files import ASK, REVEAL, text

SUMMARY = re.compile(r'\bsummary\("(\d\d)"\)')
# Two decimals or two digits at least: a lone 1 or 0 is everywhere and gives nothing away.
NUMBER = re.compile(r"(?<![\w.])(\d+\.\d\d+|[1-9]\d+)(?![\w]|\.\d)")
TRIVIAL = re.compile(r"0+(\.0+)?|1(\.0+)?|10+(\.0+)?")


def numbers(text: str) -> set[str]:
    """The telling numbers of a text, to two decimals, so that 0.670 and 0.67 are the same."""
    found = {each for each in NUMBER.findall(text) if not TRIVIAL.fullmatch(each)}
    return {f"{float(each):.2f}" if "." in each else each for each in found}


def shown(cell: dict[str, Any]) -> str:
    """What a cell's stored outputs say, as text."""
    outputs = cell.get("outputs", [])
    plain = [output.get("data", {}).get("text/plain", "") for output in outputs]
    return "\n".join(text_of(each) for each in plain + [o.get("text", "") for o in outputs])


def compared(cell: dict[str, Any]) -> str:
    """The table of a reveal, which comes after its first line and before the explanation."""
    return [*shown(cell).split("\n\n"), ""][1]


def leaks(nb: Notebook) -> Iterator[str]:
    """Give each thing that can be read before the cell that should be the first to show it."""
    asked: dict[str, Question] = {}
    readable, told = "", set()
    for cell in nb["cells"]:
        source = text_of(cell["source"])
        readable += "\n" + source
        asked |= {name: question(id) for name, id in ASK.findall(source)}
        if not is_gated(cell):
            readable += "\n" + shown(cell)
            continue
        read = flat(readable)
        for each in [asked[name] for name in REVEAL.findall(source)]:
            answer = numbers(compared(cell))
            new = answer - told - numbers(given(each))
            yield from (f"{cell['id']}: {number}" for number in sorted(new & numbers(read)))
            yield from (f"{cell['id']}: {said}" for said in afterwards(each) if said in read)
        for number in SUMMARY.findall(source):
            said = [flat(each) for each in notebook_data(number).summary]
            yield from (f"{cell['id']}: {each}" for each in said if each in read)
        told |= numbers(shown(cell))


def given(asked: Question) -> str:
    """What the question itself says, its labels and options included."""
    names = [each for name in ("labels", "rows", "columns") for each in getattr(asked, name, ())]
    return "\n".join([asked.prompt, *names, *asked.on_paper().options])


def afterwards(asked: Question) -> list[str]:
    """The sentences that are shown only after a prediction."""
    said = [asked.explanation, *(each.sentence for each in asked.named)]
    sentences = re.split(r"(?<=[.!?])\s", flat("\n".join(said)))
    return [each for each in sentences if len(each) > 25]


def flat(text: str) -> str:
    """The text in one line, so that a line break hides nothing."""
    return re.sub(r"\s+", " ", text)


def test_nothing_can_be_read_before_its_reveal(notebook):
    assert list(leaks(notebook)) == []


ASKED = question("05/first-row")


def add_text(nb: Notebook, place: int, said: str) -> Notebook:
    """The notebook with a cell of text more."""
    nb["cells"].insert(place, text("more", said))
    return nb


REVEALED_AT = 4  # the place of the small notebook's reveal


@pytest.mark.parametrize("text", ["It is 0.67.", "It is about 0.670.", "[0.67, 0.33]"])
def test_a_number_told_in_the_text_before_its_reveal_is_found(tiny, text):
    assert list(leaks(tiny)) == []
    assert "reveal-first-row: 0.67" in list(leaks(add_text(tiny, REVEALED_AT, text)))


@pytest.mark.parametrize("text", ["It is 0.67.", ASKED.explanation])
def test_the_same_text_after_the_reveal_is_no_leak(tiny, text):
    assert list(leaks(add_text(tiny, REVEALED_AT + 1, text))) == []


def test_a_number_in_the_code_of_the_reveal_itself_is_found(tiny):
    tiny["cells"][REVEALED_AT]["source"] = ["first_row.reveal([0.67, 0.33])"]
    assert list(leaks(tiny)) == ["reveal-first-row: 0.33", "reveal-first-row: 0.67"]


def test_a_number_that_an_open_cell_shows_is_found(tiny):
    printed = {"output_type": "stream", "name": "stdout", "text": ["0.33\n"]}
    tiny["cells"][1]["outputs"] = [printed]
    assert list(leaks(tiny)) == ["reveal-first-row: 0.33"]


@pytest.mark.parametrize("said", [ASKED.explanation, ASKED.near_misses[0].sentence])
def test_a_sentence_that_belongs_after_the_reveal_is_found_across_line_breaks(tiny, said):
    text = said.replace(" ", "\n")
    assert list(leaks(add_text(tiny, REVEALED_AT, text))) != []


def test_an_options_sentence_is_found(tiny):
    choice = next(each for each in questions() if isinstance(each, Choice))
    name = choice.variable
    tiny["cells"][2]["source"] = [f'{name} = ask("{choice.id}")']
    tiny["cells"][REVEALED_AT]["source"] = [f"{name}.reveal(answer)"]
    said = choice.options[0].sentence
    assert any(said in each for each in leaks(add_text(tiny, REVEALED_AT, said)))


def test_a_sentence_of_the_summary_is_found(tiny):
    said = notebook_data("05").summary[0]
    tiny["cells"][-1]["source"] = ['summary("05")']
    assert any(said in each for each in leaks(add_text(tiny, REVEALED_AT + 1, said)))


def test_what_the_question_says_is_no_leak(tiny):
    given = "\n\nkey 1  0.493\n"
    third = question("05/third-row")
    assert "0.493" in third.prompt
    tiny["cells"][2]["source"] = ['third_row = ask("05/third-row")']
    tiny["cells"][REVEALED_AT]["source"] = ["third_row.reveal(answer)"]
    tiny["cells"][REVEALED_AT]["outputs"][0]["data"]["text/plain"] = ["title", given]
    assert list(leaks(add_text(tiny, REVEALED_AT, third.prompt))) == []


def test_only_telling_numbers_count():
    assert numbers("1 0 7 0.0 1.00 10 100 03 v1.25 notebook_64 2.5") == set()
    assert numbers("64, 0.670 and 0.33.") == {"64", "0.67", "0.33"}

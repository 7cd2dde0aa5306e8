"""Every decimal and every larger whole number that a text states is computed somewhere.

It stands in the code or in a stored output of its notebook, in a near miss (recomputed by another
test), or in ELSEWHERE below, as a calculation. Small whole numbers and words are not looked at:
a 2 or an 8 is found everywhere. Texts are the notebook's own and those of its questions.
"""

import html
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from msgspec.structs import replace

from attn_lab import attention, causal_mask
from attn_lab.course.editions import text_of
from attn_lab.course.questions import Notebook as Data
from attn_lab.course.questions import notebook as data_of
from attn_lab.course.tensors import places
from attn_lab.models.workbench import NORMAL
from tests.helpers.notebook_files import BY_NUMBER, read, text

NUMBER = re.compile(r"(?<![\w.,])(?:\d+\.\d+|\d{1,3}(?:,\d{3})+|\d{3,})(?!\w|[.,]\d)")
SOURCE = re.compile(r"arXiv:? ?[\d.]+|[Ss]ections? [\d.]+|(?<=Metcalfe )2001|(?<=Need, )2017")
ANY = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
ROOT = 2**-0.5
PLACES = attention(*places(), allowed=causal_mask(4)).output[3].tolist()
BFLOAT16 = torch.tensor([100.5, 100.0], dtype=torch.bfloat16).softmax(dim=-1).double()
NUDGED = torch.tensor([[0.1, 0.0], [10.0, 0.0]]).softmax(dim=-1)[:, 0].tolist()
ELSEWHERE: dict[str, list[float]] = {
    "00": [],
    "01": [math.e, math.exp(0.5), 0.667 + 0.167 + 0.167],  # 2/3, 1/6, 1/6 rounded
    "02": [],
    "03": [
        *(torch.finfo(torch.float32).max / 1e38, math.exp(100) / 1e43),
        *(ROOT, 50**0.5, 1000**0.5, *NUDGED, sum(round(x, 3) for x in BFLOAT16.tolist()), 2 * 64),
    ],
    "04": [ROOT, math.exp(ROOT)],
    "05": [2 / 7, 4 / 7, 1 / 7, 5 / 4, 0.7 + 5],
    "06": [ROOT, 2 * ROOT, *PLACES],
    "07": [10_000, NORMAL],
    "08": [NORMAL],
    "09": [math.exp(-1), (math.exp(-2) + 1) + (math.exp(-3) + 1), 8 * 4096**2 * 4],
    "10": [1 - 0.54, 0.54 + 0.40 + 0.28 + 1.00, 512],
}


def texts(nb: dict[str, Any], data: Data) -> Iterator[tuple[str, str]]:
    """Give every text of a notebook with its place."""
    for cell in nb["cells"]:
        if cell["cell_type"] == "markdown" and cell["id"] != "sources":
            yield cell["id"], text_of(cell["source"])
    yield "summary", "\n".join(data.summary)
    for asked in data.questions:
        yield f"{asked.id}, prompt", asked.prompt
        yield f"{asked.id}, explanation", asked.explanation
        yield f"{asked.id}, options", "\n".join(asked.on_paper().options)
        for place, named in enumerate(asked.named, start=1):
            yield f"{asked.id}, {asked.named_in} {place}", named.sentence


def plain(text: str) -> str:
    """The text in one line, without marks."""
    return re.sub(r"\s+", " ", re.sub(r"[`*$]", "", text)).strip()


def computed(nb: dict[str, Any], data: Data) -> list[float]:
    """The numbers in code and outputs, without what outputs repeat of the texts."""
    said = "\n".join(text for _, text in texts(nb, data)).split("\n")
    lines = sorted({line for each in said if len(line := plain(each)) > 8}, key=len, reverse=True)
    found = [
        str(miss.value) for asked in data.questions for miss in getattr(asked, "near_misses", ())
    ]
    for cell in nb["cells"]:
        if cell["cell_type"] != "code":
            continue
        found.append(text_of(cell["source"]))
        for output in cell["outputs"]:
            shown = output.get("data", {})
            page = re.sub("<[^>]+>", " ", text_of(shown.get("text/html", "")))
            parts = [output.get("text", ""), shown.get("text/plain", ""), html.unescape(page)]
            text = plain(" ".join(map(text_of, parts)))
            for line in lines:
                text = text.replace(line, " ")
            found.append(text)
    both = "\n".join([*found, *(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text) for text in found)])
    return [float(each) for each in ANY.findall(both)]  # 4,096 is one number, and may be two


def unproved(nb: dict[str, Any], data: Data, elsewhere: list[float]) -> list[str]:
    """The numbers that a text states and nothing computes, each with its place."""
    known = computed(nb, data) + elsewhere
    return [
        f"{place}: {number}"
        for place, text in texts(nb, data)
        for number in NUMBER.findall(SOURCE.sub(" ", text))
        if not any(is_same(number, each) for each in known)
    ]


def is_same(written: str, value: float) -> bool:
    """Whether a value is written so when it is rounded."""
    digits = written.replace(",", "")
    return abs(round(value, len(digits.partition(".")[2])) - float(digits)) < 1e-9


@pytest.fixture
def both(path: Path, notebook: dict[str, Any]) -> tuple[dict[str, Any], Data, list[float]]:
    """A notebook, its data, and what is calculated here for it."""
    number = path.stem[:2]
    return notebook, data_of(number), ELSEWHERE.get(number, [])


def test_every_number_in_the_text_is_computed_somewhere(both):
    assert unproved(*both) == []


def test_nothing_is_calculated_here_that_no_text_needs(both):
    nb, data, elsewhere = both
    for i in range(len(elsewhere)):
        assert unproved(nb, data, elsewhere[:i] + elsewhere[i + 1 :]), elsewhere[i]


@pytest.mark.parametrize("wrong", ["0.277", "26.41", "4,097"])
def test_a_number_that_nothing_computes_is_found_in_a_text_and_in_an_explanation(wrong):
    nb, data = read(BY_NUMBER["06"]), data_of("06")
    changed = {**nb, "cells": [*nb["cells"], text("more", f"It is {wrong}.")]}
    assert unproved(changed, data, ELSEWHERE["06"]) == [f"more: {wrong}"]
    first = data.questions[0]
    said = replace(first, explanation=f"It is {wrong}.")
    # the stored output repeats what the data says, which proves nothing
    repeated = json.dumps(nb).replace(json.dumps(plain(first.explanation))[1:-1], said.explanation)
    data = replace(data, questions=(said, *data.questions[1:]))
    found = unproved(json.loads(repeated), data, ELSEWHERE["06"])
    assert found == [f"{first.id}, explanation: {wrong}"]

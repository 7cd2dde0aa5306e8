"""What is stored can be read by everyone: no widget, no bare picture, no heading.

Each rule takes a notebook and returns what is wrong with it. Every notebook is held against
every rule, and each rule is shown notebooks that break it: nbval passes over all of these.
"""

import re
from collections.abc import Iterator

import pytest

from attn_lab.course.editions import Notebook, text_of

VIEW = "application/vnd.jupyter.widget-view+json"
HEADING = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)
MARKDOWN_HEADING = re.compile(r"^ {0,3}#{1,6}\s|\n {0,3}(=+|-+)\s*$", re.MULTILINE)


def forms(nb: Notebook) -> Iterator[tuple[str, str, str]]:
    """Each stored form of each output: the cell's id, the mime type, the text."""
    for cell in nb["cells"]:
        for output in cell.get("outputs", []):
            for mime, value in output.get("data", {}).items():
                yield cell["id"], mime, value if isinstance(value, dict) else text_of(value)


def no_widget_is_stored(nb: Notebook) -> list[str]:
    """A stored view is "model not found" tomorrow, and the state holds what a learner typed."""
    state = ["metadata.widgets"] if "widgets" in nb["metadata"] else []
    return state + [id for id, mime, _ in forms(nb) if "widget" in mime]


def no_output_holds_a_heading(nb: Notebook) -> list[str]:
    """JupyterLab's table of contents lists headings of hidden outputs too."""
    found = [(id, mime, str(value)) for id, mime, value in forms(nb)]
    wrong = [id for id, _, value in found if HEADING.search(value)]
    markdown = [(id, value) for id, mime, value in found if mime == "text/markdown"]
    return wrong + [id for id, value in markdown if MARKDOWN_HEADING.search(value)]


def no_picture_is_stored_bare(nb: Notebook) -> list[str]:
    """A stored PNG or SVG has no alternative text; a PNG in HTML differs from run to run."""
    wrong = [f"{id}: {mime}" for id, mime, _ in forms(nb) if mime.startswith("image/")]
    for id, mime, value in forms(nb):
        if mime == "text/html" and "<svg" in value.lower():
            wrong.append(f"{id}: <svg>")
        for image in re.findall(r"<img\b[^>]*>", str(value)):
            if not re.search(r'\balt="[^"]+"', image):
                wrong.append(f"{id}: a picture without words")
            if 'src="data:image/svg+xml;base64,' not in image:
                wrong.append(f"{id}: a picture that is not an SVG address")
    return wrong


def every_html_output_is_also_text(nb: Notebook) -> list[str]:
    """nbval compares the text; a reader without HTML has nothing else."""
    wrong = []
    for cell in nb["cells"]:
        for output in cell.get("outputs", []):
            plain = text_of(output.get("data", {}).get("text/plain", ""))
            if "text/html" in output.get("data", {}) and not plain.strip():
                wrong.append(cell["id"])
    return wrong


RULES = (
    no_widget_is_stored,
    no_output_holds_a_heading,
    no_picture_is_stored_bare,
    every_html_output_is_also_text,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_notebook_keeps(rule, notebook):
    assert rule(notebook) == []


IMAGE = '<img alt="two weights" src="data:image/svg+xml;base64,AAAA">'
BREAKS = [
    (no_widget_is_stored, {VIEW: {"model_id": "f00"}, "text/plain": "Run this cell."}),
    (no_output_holds_a_heading, {"text/html": "x<h3>Answer 0.67</h3>", "text/plain": "x"}),
    (no_output_holds_a_heading, {"text/html": '<H2 class="a">0.67</H2>', "text/plain": "x"}),
    (no_output_holds_a_heading, {"text/markdown": "Look:\n\n## Answer 0.67"}),
    (no_output_holds_a_heading, {"text/markdown": "Answer 0.67\n==========="}),
    (no_picture_is_stored_bare, {"image/png": "iVBORw0KGgo=", "text/plain": "a map"}),
    (no_picture_is_stored_bare, {"image/svg+xml": "<svg/>", "text/plain": "a map"}),
    (no_picture_is_stored_bare, {"text/html": "<SVG></SVG>", "text/plain": "a map"}),
    (no_picture_is_stored_bare, {"text/html": IMAGE.replace("two weights", "")}),
    (no_picture_is_stored_bare, {"text/html": IMAGE.replace('alt="two weights" ', "")}),
    (no_picture_is_stored_bare, {"text/html": IMAGE.replace("svg+xml", "png")}),
    (no_picture_is_stored_bare, {"text/html": IMAGE.replace("data:image", "https:image")}),
    (every_html_output_is_also_text, {"text/html": IMAGE}),
    (every_html_output_is_also_text, {"text/html": IMAGE, "text/plain": " \n"}),
]


@pytest.mark.parametrize(("rule", "data"), BREAKS)
def test_a_notebook_that_breaks_it_is_found(rule, data, tiny):
    assert rule(tiny) == []
    broken = {"output_type": "display_data", "metadata": {}, "data": data}
    tiny["cells"][-1]["outputs"].append(broken)
    assert rule(tiny) != []


def test_stored_widget_state_is_found(tiny):
    tiny["metadata"]["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}
    assert no_widget_is_stored(tiny) == ["metadata.widgets"]


def test_a_picture_with_words_beside_its_numbers_breaks_no_rule(tiny):
    data = {"text/html": f"Two weights.\n{IMAGE}", "text/plain": "0.67 0.33"}
    good = {"output_type": "display_data", "metadata": {}, "data": data}
    tiny["cells"][-1]["outputs"].append(good)
    assert [rule(tiny) for rule in RULES] == [[]] * len(RULES)

"""A notebook's page shows every result unfolded, and a prediction as its question."""

from copy import deepcopy

import pytest

from attn_lab.commands.handout.notebook_pages import (
    cells_without_run,
    for_reading,
    notebook_page,
    read_editions,
)
from attn_lab.course.editions import computed_values
from attn_lab.course.questions import question, questions

FIRST = "00_start_here"


@pytest.fixture
def first(editions):
    """The first notebook, to be changed."""
    return deepcopy(editions[FIRST])


def test_every_stored_result_is_shown_with_its_table_headers(editions, pages, read):
    for name, nb in editions.items():
        page = read(pages[f"{name}.html"])
        shown = [each.get("data", {}).get("text/html", "") for cell in nb["cells"]
                 for each in cell.get("outputs", [])]  # fmt: skip
        kept = read("".join("".join(html) for html in shown))
        for scope in ("row", "col"):
            assert page.count("th", scope=scope) == kept.count("th", scope=scope), name
        assert page.count("img") == kept.count("img"), name


def test_a_folded_result_is_unfolded_and_a_prediction_reads_as_its_question(pages, read):
    text = read(pages["04_the_causal_boundary.html"]).text()
    assert "Position 1 may read 1 key" in text
    assert "Someone takes the softmax over all four keys first" in text
    assert "☐ Only if the row is divided by its sum again." in text
    assert "prediction beside" not in text and "no prediction" not in text
    assert ".commit(" not in text


def test_an_explanation_keeps_its_paragraphs_and_its_code(first, read):
    outputs = [each for cell in for_reading(first)["cells"] for each in cell.get("outputs", [])]
    html = ["".join(each.get("data", {}).get("text/html", "")) for each in outputs]
    result = next(each for each in html if "attn-reveal" in each)
    for line in question("00/one-word-changes").explanation.split("\n"):
        assert line in result


def test_what_can_be_unfolded_is_open_because_paper_cannot_unfold(first, editions, read):
    first["cells"][0]["source"] = [
        "# T\n\n<details>\n<summary>more</summary>\n\nwords\n\n</details>\n\n",
        "<details open></details>",
    ]
    page = read(
        notebook_page(FIRST, first) + notebook_page("05", editions["05_mask_and_temperature"])
    )
    folded = [attributes for tag, attributes in page.tags if tag == "details"]
    assert len(folded) > 2 and all("open" in attributes for attributes in folded)


def test_a_link_to_another_notebook_leads_to_its_page(first):
    first["cells"][0]["source"] = [
        "# Title\n[next](01_one_row_by_hand.ipynb) [there](02_queries_keys_values.ipynb#summary) "
        "[a](https://b.org/c.ipynb)"
    ]
    html = notebook_page(FIRST, first)
    assert 'href="01_one_row_by_hand.html"' in html
    assert 'href="02_queries_keys_values.html#summary"' in html
    assert 'href="https://b.org/c.ipynb"' in html


def test_a_notebook_that_was_never_run_is_counted(first):
    assert cells_without_run(first) == 0
    for cell in first["cells"]:
        cell.update({"execution_count": None, "outputs": []} if "outputs" in cell else {})
    assert cells_without_run(first) > 0
    assert computed_values(first) == {}


def test_every_question_that_is_asked_in_a_run_notebook_has_a_result(editions):
    for name, nb in editions.items():
        assert cells_without_run(nb) == 0, name
        assert computed_values(nb).keys() == {each.id for each in questions(name[:2])}, name


def test_a_folder_without_notebooks_is_a_damaged_installation(tmp_path):
    with pytest.raises(ValueError, match="Install attn-lab again"):
        read_editions(tmp_path)

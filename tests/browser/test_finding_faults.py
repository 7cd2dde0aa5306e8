"""The search for what cannot be read finds it, with all around the outputs hidden meanwhile."""

from collections.abc import Iterator

import nbformat
import pytest

from attn_lab.course.editions import as_text, normalise
from tests.helpers.axe import serious_findings
from tests.helpers.lab_page import LabPage
from tests.helpers.looks import too_wide, whole

FAULTS = {
    "pale": '<p style="color:#bbb;background:#fff">too pale to read</p>',
    "nameless": "<input type='text'>",
    "undescribed": '<img src="data:image/svg+xml;base64,PHN2Zy8+">',
    "wide": '<div style="width:3000px">wide</div>',
}


@pytest.fixture(scope="module")
def faulty(shared_lab: LabPage) -> Iterator[LabPage]:
    """A notebook with one fault in each cell, after one with none."""
    cells = [nbformat.v4.new_markdown_cell("# Faults", id="title")]
    for name, html in {"good": "<p>As it should be.</p>", **FAULTS}.items():
        source = f"from IPython.display import HTML\nHTML({html!r})"
        cells.append(nbformat.v4.new_code_cell(source, id=name))
    text = as_text(normalise(nbformat.v4.new_notebook(cells=cells)))
    (shared_lab.server.root / "faults.ipynb").write_text(text, "utf-8")
    shared_lab.fresh().open("faults.ipynb")
    shared_lab.draw_all()
    shared_lab.run_all()  # what is stored alone is not trusted, and loses its styles
    yield shared_lab
    shared_lab.fresh()


def found(lab: LabPage, **rules: bool) -> set[str]:
    with whole(lab):
        return {each.split()[0].rstrip(":") for each in serious_findings(lab.page, **rules)}


def test_each_fault_is_found_and_nothing_else(faulty):
    assert found(faulty) == {"color-contrast", "label", "undescribed"}
    assert found(faulty, shapes=False) == {"color-contrast", "undescribed"}
    assert found(faulty, colours=False) == {"label", "undescribed"}


def test_what_is_too_wide_is_found_and_nothing_else(faulty):
    assert too_wide(faulty) == ["wide"]
